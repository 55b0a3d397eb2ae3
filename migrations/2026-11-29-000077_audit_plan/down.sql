ALTER FUNCTION audit_lines(TEXT, JSONB[], JSONB[], TEXT[], TEXT[]) RESET plan_cache_mode;
