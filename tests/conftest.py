"""Settings every test shares: `make test` runs a tenth of the property examples, the same ones each time; `make prove`
runs ten times as many, other ones each time."""

import os

from hypothesis import HealthCheck, settings

CHECKS = [HealthCheck.too_slow]

settings.register_profile("test", max_examples=50, deadline=None, derandomize=True, suppress_health_check=CHECKS)
settings.register_profile("prove", max_examples=500, deadline=None, suppress_health_check=CHECKS)
settings.load_profile(os.environ.get("RHIZOME_EXAMPLES", "test"))
