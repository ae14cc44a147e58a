"""Facts in English and Japanese, from one catalogue; the only place that writes numbers."""
