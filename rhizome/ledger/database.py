"""The tables of a ledger projection."""

VERSION = 1
SCHEMA = """
CREATE TABLE facts (
    scope TEXT NOT NULL, fact_key TEXT NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL,
    value TEXT NOT NULL, statement TEXT NOT NULL, status TEXT NOT NULL, confidence REAL NOT NULL,
    tier TEXT NOT NULL, observed_at TEXT NOT NULL, recorded_at TEXT NOT NULL, last_confirmed_at TEXT NOT NULL,
    version INTEGER NOT NULL, detail TEXT NOT NULL, origin TEXT NOT NULL, actor TEXT NOT NULL,
    supersedes TEXT, superseded_by TEXT, contradicts TEXT, aliases TEXT NOT NULL, links TEXT NOT NULL,
    place INTEGER NOT NULL);
CREATE UNIQUE INDEX one_active_value ON facts (scope, fact_key) WHERE status = 'active';
CREATE INDEX facts_by_key ON facts (scope, fact_key, place);
CREATE TABLE evidence (
    scope TEXT NOT NULL, fact_key TEXT NOT NULL, fact TEXT NOT NULL, place INTEGER NOT NULL,
    event TEXT NOT NULL, quote TEXT NOT NULL);
CREATE INDEX evidence_by_key ON evidence (scope, fact_key, fact, place);
CREATE INDEX evidence_by_event ON evidence (event);
CREATE TABLE names (scope TEXT NOT NULL, name TEXT NOT NULL, fact_key TEXT NOT NULL, PRIMARY KEY (scope, name));
CREATE TABLE reached (home TEXT PRIMARY KEY, seq INTEGER NOT NULL);
"""
