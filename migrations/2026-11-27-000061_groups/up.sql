-- Groups of end users, and for which groups a meeting or a question is (decision 91).
SET LOCAL lock_timeout = '10s';

CREATE TABLE groups (
    id UUID NOT NULL,
    client_id UUID NOT NULL,
    name TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    CONSTRAINT groups_pkey PRIMARY KEY (id),
    CONSTRAINT groups_client_id_id_key UNIQUE (client_id, id),
    CONSTRAINT groups_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX groups_client_id_name_key ON groups (client_id, lower(name));
SELECT keep_apart('groups', 'client_id = tenant()');

CREATE TABLE group_members (
    client_id UUID NOT NULL,
    group_id UUID NOT NULL,
    end_user_id UUID NOT NULL,
    CONSTRAINT group_members_pkey PRIMARY KEY (group_id, end_user_id),
    CONSTRAINT group_members_client_id_group_id_fkey
        FOREIGN KEY (client_id, group_id) REFERENCES groups (client_id, id) ON DELETE CASCADE,
    CONSTRAINT group_members_client_id_end_user_id_fkey
        FOREIGN KEY (client_id, end_user_id) REFERENCES end_users (client_id, id) ON DELETE CASCADE
);
CREATE INDEX group_members_client_id_end_user_id_idx ON group_members (client_id, end_user_id);
SELECT keep_apart('group_members', 'client_id = tenant()');

-- Empty: for everybody. Writers lock the groups, and a group that is named here is not deleted.
ALTER TABLE meetings ADD COLUMN group_ids UUID[] NOT NULL DEFAULT '{}';
ALTER TABLE questions ADD COLUMN group_ids UUID[] NOT NULL DEFAULT '{}';

ALTER TABLE rounds
    -- The names of the groups that the question was for. NULL: for everybody.
    ADD COLUMN group_names TEXT[],
    -- The groups that the decision rule names, as [{"id": …, "name": …}]. NULL: none.
    ADD COLUMN rule_groups JSONB,
    ADD CONSTRAINT rounds_rule_groups_check CHECK (jsonb_typeof(rule_groups) = 'array');
-- The places in rounds.rule_groups, from 0, of the groups that the person is in. NULL: in none of them.
ALTER TABLE register ADD COLUMN groups SMALLINT[];

-- The names of groups, in the order of the alphabet. NULL for no group.
CREATE FUNCTION names_of_groups(ids UUID[]) RETURNS TEXT LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
    SELECT string_agg(g.name, ', ' ORDER BY lower(g.name)) FROM groups g WHERE g.id = ANY (ids)
$$;

CREATE FUNCTION audit_group() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM audit_event(audit_author(), 'group_created', NEW.client_id, 'group', NEW.id, NEW.name, NULL, '[]');
    ELSIF TG_OP = 'UPDATE' THEN
        PERFORM audit_event(audit_author(), 'group_renamed', NEW.client_id, 'group', NEW.id, NEW.name, NULL,
                            jsonb_build_array(jsonb_build_array('name', OLD.name, NEW.name)));
    ELSIF NOT audit_removes_client() THEN
        PERFORM audit_event(audit_author(), 'group_deleted', OLD.client_id, 'group', OLD.id, OLD.name, NULL, '[]');
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER groups_audit AFTER INSERT OR DELETE ON groups FOR EACH ROW EXECUTE FUNCTION audit_group();
CREATE TRIGGER groups_audit_update AFTER UPDATE ON groups FOR EACH ROW
    WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION audit_group();

-- One entry for each group of a statement. It names one person, and counts several. Members who go together with their
-- group or their account are told there.
CREATE FUNCTION audit_group_members() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    members JSONB[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        SELECT array_agg(to_jsonb(came)) INTO members FROM new_rows AS came;
    ELSIF audit_removes_client() THEN
        RETURN NULL;
    ELSE
        SELECT array_agg(to_jsonb(went)) INTO members FROM old_rows AS went;
    END IF;
    IF members IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM audit_event(audit_author(), 'group_members_changed', known.client_id, 'group', known.id, known.name, NULL,
                        jsonb_build_array(jsonb_build_array(
                            CASE TG_OP WHEN 'INSERT' THEN 'added' ELSE 'removed' END, NULL,
                            CASE moved.people WHEN 1 THEN moved.person ELSE moved.people || ' people' END)))
    FROM (SELECT (member ->> 'group_id')::uuid AS group_id, count(*) AS people, min(person.name) AS person
          FROM unnest(members) AS member
          CROSS JOIN LATERAL (SELECT e.name || ' (' || e.username || ')' AS name FROM end_users e
                              WHERE e.id = (member ->> 'end_user_id')::uuid AND e.erased_at IS NULL OFFSET 0) AS person
          GROUP BY 1) AS moved
    CROSS JOIN LATERAL (SELECT g.id, g.client_id, g.name FROM groups g WHERE g.id = moved.group_id OFFSET 0) AS known;
    RETURN NULL;
END $$;
CREATE TRIGGER group_members_audit_insert AFTER INSERT ON group_members REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION audit_group_members();
CREATE TRIGGER group_members_audit_delete AFTER DELETE ON group_members REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION audit_group_members();

-- For whom a meeting or a question is, by the names of its groups. NULL: for everybody.
CREATE FUNCTION audit_audience() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    item CONSTANT JSONB := to_jsonb(NEW);
    before CONSTANT TEXT := CASE TG_OP WHEN 'UPDATE' THEN names_of_groups(OLD.group_ids) END;
    changes CONSTANT JSONB := jsonb_build_array(jsonb_build_array('groups', before, names_of_groups(NEW.group_ids)));
BEGIN
    IF TG_TABLE_NAME = 'meetings' THEN
        PERFORM audit_event(audit_author(), 'meeting_audience_changed', NEW.client_id, 'meeting', NEW.id, item ->> 'title',
                            NULL, changes);
    ELSE
        PERFORM audit_event(audit_author(), 'question_audience_changed', NEW.client_id, 'question', NEW.id,
                            item ->> 'question_text',
                            (SELECT m.title FROM meetings m WHERE m.id = (item ->> 'meeting_id')::uuid), changes);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER meetings_audience_insert AFTER INSERT ON meetings FOR EACH ROW
    WHEN (NEW.group_ids <> '{}') EXECUTE FUNCTION audit_audience();
CREATE TRIGGER meetings_audience_update AFTER UPDATE ON meetings FOR EACH ROW
    WHEN (OLD.group_ids IS DISTINCT FROM NEW.group_ids) EXECUTE FUNCTION audit_audience();
CREATE TRIGGER questions_audience_insert AFTER INSERT ON questions FOR EACH ROW
    WHEN (NEW.group_ids <> '{}') EXECUTE FUNCTION audit_audience();
CREATE TRIGGER questions_audience_update AFTER UPDATE ON questions FOR EACH ROW
    WHEN (OLD.group_ids IS DISTINCT FROM NEW.group_ids) EXECUTE FUNCTION audit_audience();

-- These entries tell of group_ids; the generic ones do not.
CREATE OR REPLACE FUNCTION audit_rows() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    befores JSONB[];
    afters JSONB[];
    silent TEXT[] := string_to_array(TG_ARGV[2], ' ') || '{erased_at,inactive_since,group_ids}'::TEXT[];
BEGIN
    IF TG_OP = 'DELETE' AND TG_ARGV[0] <> 'client' AND audit_removes_client() THEN
        RETURN NULL;
    END IF;
    IF TG_OP = 'INSERT' THEN
        SELECT array_agg(NULL::jsonb), array_agg(to_jsonb(came)) INTO befores, afters FROM new_rows AS came;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg(to_jsonb(went)), array_agg(NULL::jsonb) INTO befores, afters FROM old_rows AS went;
    ELSE
        IF TG_ARGV[0] = 'end_user' THEN
            PERFORM audit_event(audit_author(), 'end_user_erased', came.client_id, 'end_user', came.id,
                                came.name || ' (' || came.username || ')', NULL, '[]')
            FROM new_rows AS came WHERE came.erased_at IS NOT NULL;
        END IF;
        -- No join: how it is done would be decided by the first statement, of one row, and be a loop in a loop for
        -- twenty thousand.
        SELECT array_agg(pair.before), array_agg(pair.after) INTO befores, afters
        FROM (SELECT (array_agg(line.item) FILTER (WHERE line.was))[1] AS before,
                     (array_agg(line.item) FILTER (WHERE NOT line.was))[1] AS after
              FROM (SELECT to_jsonb(went) AS item, true AS was FROM old_rows AS went
                    UNION ALL
                    SELECT to_jsonb(came), false FROM new_rows AS came) AS line
              GROUP BY line.item ->> TG_ARGV[3]) AS pair
        WHERE pair.before - silent IS DISTINCT FROM pair.after - silent AND pair.after ->> 'erased_at' IS NULL;
    END IF;
    PERFORM audit_lines(TG_ARGV[0], befores, afters, string_to_array(TG_ARGV[1], ' '), silent);
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION audit_round(before JSONB, after JSONB) RETURNS VOID LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    shown CONSTANT TEXT[] := string_to_array(
        'number status question_text question_type rating_max max_choices opened_at ended_at closes_at register_heads '
        'register_weight decision_rule quorum secrecy counts_heads connected_heads connected_weight reason counted_at '
        'declared_at declared_by presence record_hash tie_decisions group_names rule_groups', ' ');
BEGIN
    PERFORM audit_lines('round', ARRAY[before], ARRAY[after], shown, '{id,client_id,meeting_id,question_id,is_test}');
END $$;
