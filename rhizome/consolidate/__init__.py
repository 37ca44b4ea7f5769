"""Consolidation: gather, distill, reconcile, derive, plan, apply, prove."""
