-- The logo and the accent color of organizations (decision 77). No row means neither.
CREATE TABLE client_branding (
    client_id UUID NOT NULL,
    -- As #rrggbb. The server checks its contrast before it stores it.
    accent_color TEXT,
    logo BYTEA,
    logo_type TEXT,
    -- The beginning of its SHA-256. It is in the logo's address, so that browsers keep the file until it changes.
    logo_version TEXT,
    CONSTRAINT client_branding_pkey PRIMARY KEY (client_id),
    CONSTRAINT client_branding_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE,
    CONSTRAINT client_branding_accent_color_check CHECK (accent_color ~ '^#[0-9a-f]{6}$'),
    CONSTRAINT client_branding_logo_check CHECK (octet_length(logo) <= 262144),
    CONSTRAINT client_branding_logo_type_check CHECK (logo_type IN ('image/png', 'image/jpeg', 'image/webp')),
    CONSTRAINT client_branding_logo_whole_check CHECK (num_nulls(logo, logo_type, logo_version) IN (0, 3))
);
SELECT keep_apart('client_branding', 'client_id = tenant()');

-- The log shows the color and the logo's type and hash, never its bytes.
CREATE FUNCTION audit_client_branding() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    changes JSONB := '[]';
    color_before TEXT;
    logo_before TEXT;
    logo_after CONSTANT TEXT := NEW.logo_type || ' ' || NEW.logo_version;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        color_before := OLD.accent_color;
        logo_before := OLD.logo_type || ' ' || OLD.logo_version;
    END IF;
    IF color_before IS DISTINCT FROM NEW.accent_color THEN
        changes := changes || jsonb_build_array(jsonb_build_array('accent_color', color_before, NEW.accent_color));
    END IF;
    IF logo_before IS DISTINCT FROM logo_after THEN
        changes := changes || jsonb_build_array(jsonb_build_array('logo', logo_before, logo_after));
    END IF;
    IF changes <> '[]' THEN
        PERFORM audit_event(audit_author(), 'client_changed', NEW.client_id, 'client', NEW.client_id, c.name, NULL, changes)
        FROM clients c WHERE c.id = NEW.client_id;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER client_branding_audit AFTER INSERT OR UPDATE ON client_branding FOR EACH ROW
    EXECUTE FUNCTION audit_client_branding();
