"""Jobs done, jobs to come and the time left, with a clock of our own."""

from snakemake_logger_plugin_progress.remaining import Remaining


def test_time_left_follows_from_finished_jobs():
    now = [0.0]
    remaining = Remaining(clock=lambda: now[0])
    remaining.plan({"measure": 3, "write": 1, "all": 1})
    assert remaining.total == 4
    assert remaining.started(1, "measure") == 0
    assert remaining.in_words() == ""
    now[0] = 100.0
    remaining.finished(1)
    assert remaining.started(2, "measure") == 1
    # This one takes as long as the first, one more measurement follows; nothing is known of the writing.
    assert remaining.seconds() == 200.0
    assert remaining.in_words() == " - at least 3 min left"
    now[0] = 200.0
    remaining.finished(2)
    remaining.started(3, "measure")
    now[0] = 300.0
    remaining.finished(3)
    assert remaining.started(4, "write") == 3
    now[0] = 305.0
    remaining.finished(4)
    assert remaining.seconds() == 0.0


def test_a_job_that_takes_longer_than_those_before_leaves_no_negative_time():
    now = [0.0]
    remaining = Remaining(clock=lambda: now[0])
    remaining.plan({"measure": 2})
    remaining.started(1, "measure")
    now[0] = 10.0
    remaining.finished(1)
    remaining.started(2, "measure")
    now[0] = 100.0
    assert remaining.seconds() == 0.0


def test_nothing_is_said_of_the_time_left_where_jobs_run_at_once():
    now = [0.0]
    remaining = Remaining(clock=lambda: now[0])
    remaining.plan({"measure": 4})
    remaining.started(1, "measure")
    now[0] = 10.0
    remaining.finished(1)
    remaining.started(2, "measure")
    assert remaining.in_words() == " - about 30 s left"
    remaining.started(3, "measure")
    assert remaining.in_words() == ""


def test_jobs_that_a_look_asks_for_later_count_too():
    now = [0.0]
    remaining = Remaining(clock=lambda: now[0])
    remaining.plan({"measure": 1, "look": 1, "all": 1})
    for job, rule in enumerate(("measure", "look")):
        assert remaining.started(job, rule) == job
        now[0] += 60.0
        remaining.finished(job)
    remaining.planned(6)  # two more blocks, another look, and all
    assert remaining.started(2, "measure") == 2
    assert (remaining.total, remaining.in_words()) == (5, " - at least 60 s left")
