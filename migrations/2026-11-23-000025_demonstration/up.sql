-- One row while the installation is a demonstration, whose accounts everybody knows (decision 45); none where it is real.
CREATE TABLE demonstration (
    is_one BOOLEAN NOT NULL DEFAULT TRUE,
    founded_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    CONSTRAINT demonstration_pkey PRIMARY KEY (is_one),
    CONSTRAINT demonstration_is_one_check CHECK (is_one)
);

-- It concerns the whole installation, and no client.
SELECT keep_apart('demonstration', 'false');
