"use strict";
(() => {
  const hash = () => decodeURIComponent(location.hash.slice(1));

  // Filters: in the page's address, so that what is shown can be shared.
  const form = document.getElementById("filter");
  const rows = [...document.querySelectorAll(".row")];
  const names = ["text", "environment", "verdict"];
  const shown = document.getElementById("shown");
  const other = document.getElementById("other-language");

  function show() {
    const wanted = Object.fromEntries(names.map((name) => [name, form.elements[name].value]));
    for (const row of rows) {
      row.hidden = names.some((name) => wanted[name] && row.dataset[name] !== wanted[name]);
    }
    for (const part of document.querySelectorAll(".claim, section.text")) {
      part.hidden = !part.querySelector(".row:not([hidden])");
    }
    for (const cell of document.querySelectorAll(".overview [data-environment]")) {
      cell.hidden = Boolean(wanted.environment) && cell.dataset.environment !== wanted.environment;
    }
    for (const link of document.querySelectorAll(".overview td a")) {
      link.hidden = document.getElementById(decodeURIComponent(link.hash.slice(1))).hidden;
    }
    for (const line of document.querySelectorAll(".overview tbody tr:not(.title)")) {
      line.hidden = !line.querySelector("td a:not([hidden])");
    }
    for (const title of document.querySelectorAll(".overview .title")) {
      title.hidden = !title.parentElement.querySelector("tr:not(.title):not([hidden])");
    }
    // A row may stand for several environments that were not run for the same reason.
    const count = (some) => some.reduce((sum, row) => sum + Number(row.dataset.verdicts), 0);
    const left = count(rows.filter((row) => !row.hidden));
    const words = left ? shown.dataset.some : shown.dataset.none;
    shown.textContent = words.replace("{shown}", left).replace("{all}", count(rows));
  }

  function remember() {
    const chosen = new URLSearchParams();
    for (const name of names) {
      if (form.elements[name].value) chosen.set(name, form.elements[name].value);
    }
    history.replaceState(null, "", chosen.size ? `#${chosen}` : location.pathname + location.search);
    other.hash = location.hash;
    show();
  }

  function obey() {
    const place = document.getElementById(hash());
    const chosen = new URLSearchParams(place ? "" : hash());
    if (!place || place.closest("[hidden]")) {
      for (const name of names) {
        form.elements[name].value = chosen.get(name) ?? "";
        // A name that is none of the choices would leave the box empty.
        if (form.elements[name].selectedIndex < 0) form.elements[name].value = "";
      }
      show();
    }
    if (place) {
      place.querySelector(":scope > details")?.setAttribute("open", "");
      for (let part = place; part; part = part.parentElement) {
        if (part.tagName === "DETAILS") part.open = true;
      }
      place.scrollIntoView();
    }
    other.hash = location.hash;
  }

  if (rows.length) {
    form.hidden = false;
    form.addEventListener("input", remember);
    form.addEventListener("reset", () => setTimeout(remember));
    form.addEventListener("submit", (event) => event.preventDefault());
    addEventListener("hashchange", obey);
    show();
    obey();
  }

  // Values of marks: beside the pointer and the focus, instead of the browser's own slow tooltip.
  const tip = document.getElementById("tip");
  let told = null;

  function tell(mark) {
    told = mark;
    tip.textContent = mark.getAttribute("aria-label");
    tip.hidden = false;
    const box = mark.getBoundingClientRect();
    const left = box.left + box.width / 2 - tip.offsetWidth / 2;
    const above = box.top - tip.offsetHeight - 8;
    tip.style.left = `${Math.max(8, Math.min(left, document.documentElement.clientWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${above > 8 ? above : box.bottom + 8}px`;
  }

  function hide() {
    told = null;
    tip.hidden = true;
  }

  for (const figure of document.querySelectorAll(".sheet svg")) {
    const marks = [...figure.querySelectorAll(".mark")];
    if (!marks.length) continue;
    // An image hides its parts from a screen reader; a group does not.
    figure.setAttribute("role", "group");
    for (const [place, mark] of marks.entries()) {
      const title = mark.querySelector(":scope > title");
      mark.setAttribute("role", "img");
      mark.setAttribute("aria-label", title.textContent);
      mark.setAttribute("tabindex", place ? -1 : 0);
      title.remove();
    }
    const markOf = (event) => event.target.closest(".mark");
    for (const kind of ["pointerover", "click", "focusin"]) {
      figure.addEventListener(kind, (event) => markOf(event) && tell(markOf(event)));
    }
    figure.addEventListener("pointerleave", hide);
    figure.addEventListener("focusout", hide);
    figure.addEventListener("keydown", (event) => {
      const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
      const place = marks.indexOf(markOf(event));
      const next = { Home: 0, End: marks.length - 1 }[event.key] ?? place + (steps[event.key] ?? NaN);
      if (!marks[next]) return;
      event.preventDefault();
      marks[place].setAttribute("tabindex", -1);
      marks[next].setAttribute("tabindex", 0);
      marks[next].focus();
    });
  }
  addEventListener("keydown", (event) => event.key === "Escape" && hide());
  addEventListener("scroll", () => told && tell(told), { passive: true, capture: true });
  for (const hint of document.querySelectorAll(".hint")) hint.hidden = false;
})();
