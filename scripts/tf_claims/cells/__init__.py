"""Observations, arranged: a table, gates, disturbance, and the usable blocks of a scenario in an environment."""
