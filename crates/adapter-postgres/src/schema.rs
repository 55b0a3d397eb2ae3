// @generated from the migrations by tests/it/schema_file.rs.

diesel::table! {
    accounts (id) {
        id -> Uuid,
        client_id -> Nullable<Uuid>,
        role -> Text,
        email -> Text,
        password_hash -> Text,
        first_name -> Text,
        last_name -> Text,
        last_login_at -> Nullable<Timestamptz>,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    amendments (meeting_id, number) {
        meeting_id -> Uuid,
        number -> Int4,
        client_id -> Uuid,
        closing -> Int4,
        amended_at -> Timestamptz,
        amended_by -> Nullable<Text>,
        subject -> Text,
        subject_id -> Uuid,
        field -> Text,
        was -> Nullable<Text>,
        became -> Nullable<Text>,
        is_test -> Bool,
    }
}

diesel::table! {
    answer_curations (round_id) {
        round_id -> Uuid,
        client_id -> Uuid,
        version -> Int4,
        is_shown -> Bool,
        picked -> Jsonb,
        groups -> Jsonb,
        hidden -> Jsonb,
    }
}

diesel::table! {
    archives (id) {
        id -> Uuid,
        hash -> Text,
        organization_id -> Uuid,
        organization -> Text,
        meeting_id -> Uuid,
        title -> Text,
        scheduled_start -> Nullable<Timestamptz>,
        rounds -> Int4,
        signing_key -> Text,
        is_origin_known -> Bool,
        archived_at -> Timestamptz,
        imported_at -> Timestamptz,
        content -> Bytea,
    }
}

diesel::table! {
    attendance (client_id, meeting_id, noted_at) {
        client_id -> Uuid,
        meeting_id -> Uuid,
        noted_at -> Timestamptz,
        present_heads -> Int4,
        present_weight -> Numeric,
        eligible_heads -> Int4,
        eligible_weight -> Numeric,
        event_at -> Nullable<Timestamptz>,
        is_second_call -> Bool,
        represented_heads -> Int4,
        represented_weight -> Numeric,
        quorum -> Nullable<Jsonb>,
    }
}

diesel::table! {
    audit_entries (id) {
        id -> Int8,
        chain -> Uuid,
        noted_at -> Timestamptz,
        kind -> Text,
        by_role -> Text,
        by_id -> Nullable<Uuid>,
        by_name -> Nullable<Text>,
        from_address -> Nullable<Text>,
        subject_kind -> Text,
        subject_id -> Nullable<Uuid>,
        subject_name -> Nullable<Text>,
        meeting_title -> Nullable<Text>,
        changes -> Jsonb,
        number -> Nullable<Int8>,
        previous_hash -> Nullable<Bytea>,
        hash -> Nullable<Bytea>,
    }
}

diesel::table! {
    audit_heads (chain) {
        chain -> Uuid,
        number -> Int8,
        hash -> Bytea,
    }
}

diesel::table! {
    client_branding (client_id) {
        client_id -> Uuid,
        accent_color -> Nullable<Text>,
        logo -> Nullable<Bytea>,
        logo_type -> Nullable<Text>,
        logo_version -> Nullable<Text>,
    }
}

diesel::table! {
    client_codes (code) {
        code -> Text,
        client_id -> Uuid,
    }
}

diesel::table! {
    clients (id) {
        id -> Uuid,
        name -> Text,
        client_code -> Text,
        contact_email -> Text,
        status -> Text,
        subscription_plan -> Text,
        created_at -> Timestamptz,
        is_test -> Bool,
    }
}

diesel::table! {
    closing_records (meeting_id, number) {
        meeting_id -> Uuid,
        number -> Int4,
        client_id -> Uuid,
        hash -> Text,
        signing_key -> Text,
        signature -> Bytea,
        recorded_at -> Timestamptz,
        document -> Text,
        is_test -> Bool,
    }
}

diesel::table! {
    demonstration (is_one) {
        is_one -> Bool,
        founded_at -> Timestamptz,
    }
}

diesel::table! {
    desks (id) {
        id -> Uuid,
        client_id -> Uuid,
        meeting_id -> Uuid,
        name -> Text,
        token_hash -> Bytea,
        made_at -> Timestamptz,
        made_by -> Text,
        revoked_at -> Nullable<Timestamptz>,
        purpose -> Text,
    }
}

diesel::table! {
    end_user_counts (client_id, is_active, is_test) {
        client_id -> Uuid,
        is_active -> Bool,
        is_test -> Bool,
        number -> Int8,
        weight -> Numeric,
    }
}

diesel::table! {
    end_users (id) {
        id -> Uuid,
        client_id -> Uuid,
        username -> Text,
        name -> Text,
        email -> Nullable<Text>,
        address -> Nullable<Text>,
        weight -> Numeric,
        is_active -> Bool,
        password_hash -> Text,
        last_login_at -> Nullable<Timestamptz>,
        created_at -> Timestamptz,
        search_text -> Text,
        is_test -> Bool,
        username_lower -> Text,
        password_set_at -> Nullable<Timestamptz>,
        password_set_by -> Nullable<Text>,
        erased_at -> Nullable<Timestamptz>,
        inactive_since -> Nullable<Timestamptz>,
        weights -> Jsonb,
    }
}

diesel::table! {
    exclusions (question_id, end_user_id) {
        question_id -> Uuid,
        end_user_id -> Uuid,
        reason -> Text,
        excluded_at -> Timestamptz,
        excluded_by -> Text,
    }
}

diesel::table! {
    group_members (group_id, end_user_id) {
        client_id -> Uuid,
        group_id -> Uuid,
        end_user_id -> Uuid,
    }
}

diesel::table! {
    groups (id) {
        id -> Uuid,
        client_id -> Uuid,
        name -> Text,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    installation_keys (purpose) {
        purpose -> Text,
        fingerprint -> Text,
    }
}

diesel::table! {
    invitations (meeting_id, end_user_id) {
        client_id -> Uuid,
        meeting_id -> Uuid,
        end_user_id -> Uuid,
        status -> Text,
        status_before -> Nullable<Text>,
        email -> Text,
        error -> Nullable<Text>,
        tries -> Int4,
        site_address -> Text,
        time_zone -> Text,
        queued_at -> Timestamptz,
        due_at -> Timestamptz,
        claimed_at -> Nullable<Timestamptz>,
        sent_at -> Nullable<Timestamptz>,
        has_personal_link -> Bool,
    }
}

diesel::table! {
    issued_ballots (id) {
        id -> Uuid,
        client_id -> Uuid,
        round_id -> Uuid,
        end_user_id -> Uuid,
        desk_id -> Uuid,
        issued_at -> Timestamptz,
    }
}

diesel::table! {
    join_codes (join_link_id) {
        join_link_id -> Uuid,
        client_id -> Uuid,
        code_hash -> Bytea,
        made_at -> Timestamptz,
        expires_at -> Timestamptz,
        tries -> Int2,
    }
}

diesel::table! {
    join_link_settings (client_id) {
        client_id -> Uuid,
        asks -> Text,
    }
}

diesel::table! {
    join_links (id) {
        id -> Uuid,
        client_id -> Uuid,
        end_user_id -> Uuid,
        meeting_id -> Nullable<Uuid>,
        token_hash -> Bytea,
        password_hash -> Text,
        is_single_use -> Bool,
        made_at -> Timestamptz,
        expires_at -> Nullable<Timestamptz>,
        last_used_at -> Nullable<Timestamptz>,
        revoked_at -> Nullable<Timestamptz>,
        mail_seed -> Nullable<Text>,
    }
}

diesel::table! {
    meeting_counts (client_id, status, is_test) {
        client_id -> Uuid,
        status -> Text,
        is_test -> Bool,
        number -> Int8,
    }
}

diesel::table! {
    meetings (id) {
        id -> Uuid,
        client_id -> Uuid,
        title -> Text,
        description -> Nullable<Text>,
        status -> Text,
        scheduled_start_time -> Timestamptz,
        scheduled_end_time -> Timestamptz,
        started_at -> Nullable<Timestamptz>,
        ended_at -> Nullable<Timestamptz>,
        max_participants -> Nullable<Int4>,
        is_recurring -> Bool,
        recurring_pattern -> Nullable<Text>,
        has_participant_list -> Bool,
        invitation_link -> Nullable<Text>,
        current_question_id -> Nullable<Uuid>,
        created_at -> Timestamptz,
        step -> Int8,
        quorum -> Nullable<Jsonb>,
        quorum_at_opening -> Nullable<Text>,
        is_test -> Bool,
        counts_surveys_at_end -> Bool,
        closing_hash -> Nullable<Text>,
        group_ids -> Array<Uuid>,
        check_in -> Text,
        self_check_in -> Bool,
        check_in_key -> Uuid,
        is_second_call -> Bool,
        weight_kind_id -> Nullable<Uuid>,
    }
}

diesel::table! {
    options (id) {
        id -> Uuid,
        client_id -> Uuid,
        question_id -> Uuid,
        position -> Int4,
        option_text -> Text,
        role -> Text,
    }
}

diesel::table! {
    paper_ballots (batch_id, end_user_id) {
        batch_id -> Uuid,
        end_user_id -> Uuid,
        client_id -> Uuid,
        option_ids -> Nullable<Array<Uuid>>,
        number -> Nullable<Numeric>,
        answer_text -> Nullable<Text>,
        outcome -> Text,
    }
}

diesel::table! {
    paper_batches (id) {
        id -> Uuid,
        client_id -> Uuid,
        round_id -> Uuid,
        number -> Int4,
        state -> Text,
        entered_at -> Timestamptz,
        entered_by_id -> Uuid,
        entered_by -> Text,
        closed_at -> Nullable<Timestamptz>,
        closed_by_id -> Nullable<Uuid>,
        closed_by -> Nullable<Text>,
        ballots -> Int4,
        counted -> Nullable<Int4>,
    }
}

diesel::table! {
    participants (meeting_id, end_user_id) {
        client_id -> Uuid,
        meeting_id -> Uuid,
        end_user_id -> Uuid,
    }
}

diesel::table! {
    password_resets (token_hash) {
        token_hash -> Bytea,
        account_id -> Uuid,
        email -> Text,
        password_hash -> Text,
        expires_at -> Timestamptz,
    }
}

diesel::table! {
    people_present (meeting_id, end_user_id) {
        meeting_id -> Uuid,
        end_user_id -> Uuid,
        client_id -> Uuid,
        since -> Timestamptz,
        number -> Int4,
    }
}

diesel::table! {
    prepared_registers (meeting_id) {
        meeting_id -> Uuid,
        client_id -> Uuid,
        round_id -> Uuid,
    }
}

diesel::table! {
    presence_entries (meeting_id, number) {
        meeting_id -> Uuid,
        number -> Int4,
        client_id -> Uuid,
        id -> Uuid,
        end_user_id -> Uuid,
        username -> Text,
        name -> Text,
        kind -> Text,
        happened_at -> Timestamptz,
        noted_at -> Timestamptz,
        by_role -> Text,
        by_name -> Text,
    }
}

diesel::table! {
    proxies (id) {
        id -> Uuid,
        client_id -> Uuid,
        meeting_id -> Uuid,
        principal_id -> Uuid,
        holder_id -> Uuid,
        question_ids -> Nullable<Array<Uuid>>,
        note -> Nullable<Text>,
        reference -> Nullable<Text>,
        granted_at -> Timestamptz,
        granted_by -> Text,
        is_by_principal -> Bool,
        revoked_at -> Nullable<Timestamptz>,
        revoked_by -> Nullable<Text>,
    }
}

diesel::table! {
    proxy_settings (meeting_id) {
        meeting_id -> Uuid,
        client_id -> Uuid,
        is_on -> Bool,
        principals_may_grant -> Bool,
        max_principals -> Nullable<Int4>,
        max_weight -> Nullable<Numeric>,
        max_share -> Nullable<Numeric>,
        holders -> Text,
        without_questions -> Array<Uuid>,
    }
}

diesel::table! {
    purges (client_id, number) {
        client_id -> Uuid,
        number -> Int4,
        hash -> Text,
        signing_key -> Text,
        signature -> Bytea,
        purged_at -> Timestamptz,
        document -> Text,
        audit_until -> Nullable<Int8>,
        made_in -> Int8,
    }
}

diesel::table! {
    questions (id) {
        id -> Uuid,
        client_id -> Uuid,
        meeting_id -> Uuid,
        position -> Int4,
        question_text -> Text,
        question_type -> Text,
        is_required -> Bool,
        rating_max -> Nullable<Int4>,
        max_choices -> Nullable<Int4>,
        created_at -> Timestamptz,
        decision_rule -> Nullable<Jsonb>,
        quorum -> Nullable<Jsonb>,
        secrecy -> Text,
        counts_heads -> Bool,
        group_ids -> Array<Uuid>,
        weight_kind_id -> Nullable<Uuid>,
        second_weight_kind_id -> Nullable<Uuid>,
    }
}

diesel::table! {
    record_timestamps (hash) {
        hash -> Text,
        client_id -> Uuid,
        meeting_id -> Uuid,
        token -> Bytea,
        authority -> Text,
        stamped_at -> Timestamptz,
        requested_at -> Timestamptz,
        received_at -> Timestamptz,
        is_test -> Bool,
    }
}

diesel::table! {
    recovery_codes (account_id, code_hash) {
        account_id -> Uuid,
        code_hash -> Bytea,
        used_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    refresh_tokens (token_hash) {
        token_hash -> Bytea,
        session_id -> Uuid,
        issued_at -> Timestamptz,
        expires_at -> Timestamptz,
        used_at -> Nullable<Timestamptz>,
        used_by -> Nullable<Bytea>,
        used_for -> Nullable<Uuid>,
    }
}

diesel::table! {
    register (round_id, end_user_id) {
        round_id -> Uuid,
        end_user_id -> Uuid,
        username -> Text,
        name -> Text,
        weight -> Numeric,
        added_at -> Timestamptz,
        was_connected -> Bool,
        groups -> Nullable<Array<Int2>>,
        second_weight -> Nullable<Numeric>,
    }
}

diesel::table! {
    rehearsal_answers (rehearsal_id, end_user_id) {
        rehearsal_id -> Uuid,
        end_user_id -> Uuid,
        received_at -> Timestamptz,
        answered_at -> Nullable<Timestamptz>,
        can_seal -> Nullable<Bool>,
    }
}

diesel::table! {
    rehearsals (meeting_id) {
        meeting_id -> Uuid,
        client_id -> Uuid,
        id -> Uuid,
        started_at -> Timestamptz,
        ended_at -> Nullable<Timestamptz>,
        started_by -> Text,
    }
}

diesel::table! {
    remarks (id) {
        id -> Uuid,
        client_id -> Uuid,
        meeting_id -> Uuid,
        kind -> Text,
        remark_text -> Text,
        written_at -> Timestamptz,
        written_by -> Text,
        struck_at -> Nullable<Timestamptz>,
        struck_by -> Nullable<Text>,
    }
}

diesel::table! {
    result_records (round_id) {
        round_id -> Uuid,
        client_id -> Uuid,
        meeting_id -> Uuid,
        number -> Int4,
        hash -> Text,
        signing_key -> Text,
        signature -> Bytea,
        recorded_at -> Timestamptz,
        document -> Text,
        is_test -> Bool,
    }
}

diesel::table! {
    round_counters (round_id, writer) {
        round_id -> Uuid,
        writer -> Int2,
        votes_cast -> Int4,
    }
}

diesel::table! {
    round_log (id) {
        id -> Uuid,
        round_id -> Uuid,
        logged_at -> Timestamptz,
        kind -> Text,
        done_by -> Nullable<Text>,
        end_user_id -> Nullable<Uuid>,
        username -> Nullable<Text>,
        name -> Nullable<Text>,
        weight -> Nullable<Numeric>,
        reason -> Nullable<Text>,
        position -> Int8,
    }
}

diesel::table! {
    round_options (round_id, option_id) {
        round_id -> Uuid,
        option_id -> Uuid,
        position -> Int4,
        option_text -> Text,
        role -> Text,
    }
}

diesel::table! {
    round_proxies (round_id, principal_id) {
        round_id -> Uuid,
        principal_id -> Uuid,
        proxy_id -> Uuid,
        holder_id -> Uuid,
        holder_name -> Text,
        holder_username -> Text,
        reference -> Nullable<Text>,
        was_represented -> Bool,
    }
}

diesel::table! {
    rounds (id) {
        id -> Uuid,
        client_id -> Uuid,
        meeting_id -> Uuid,
        question_id -> Uuid,
        number -> Int4,
        status -> Text,
        question_text -> Text,
        question_type -> Text,
        rating_max -> Nullable<Int4>,
        max_choices -> Nullable<Int4>,
        opened_at -> Timestamptz,
        ended_at -> Nullable<Timestamptz>,
        register_heads -> Int4,
        register_weight -> Numeric,
        is_test -> Bool,
        closes_at -> Nullable<Timestamptz>,
        decision_rule -> Nullable<Jsonb>,
        quorum -> Nullable<Jsonb>,
        secrecy -> Text,
        connected_heads -> Int4,
        connected_weight -> Numeric,
        reason -> Nullable<Text>,
        counted_at -> Nullable<Timestamptz>,
        declared_at -> Nullable<Timestamptz>,
        declared_by -> Nullable<Text>,
        presence -> Text,
        record_hash -> Nullable<Text>,
        counts_heads -> Bool,
        tie_decisions -> Jsonb,
        group_names -> Nullable<Array<Text>>,
        rule_groups -> Nullable<Jsonb>,
        absent_heads -> Int4,
        absent_weight -> Numeric,
        casting_vote -> Nullable<Jsonb>,
        weight_kind -> Nullable<Jsonb>,
        second_weight_kind -> Nullable<Jsonb>,
        absent_second_weight -> Numeric,
    }
}

diesel::table! {
    seat_answers (round_id, number) {
        round_id -> Uuid,
        number -> Int4,
        client_id -> Uuid,
        candidate -> Int4,
        answer -> Text,
        noted_at -> Timestamptz,
        noted_by -> Text,
        is_continued -> Bool,
        before -> Jsonb,
        seated -> Jsonb,
        drawn -> Jsonb,
        tied -> Jsonb,
    }
}

diesel::table! {
    second_factors (account_id) {
        account_id -> Uuid,
        secret_sealed -> Bytea,
        created_at -> Timestamptz,
        confirmed_at -> Nullable<Timestamptz>,
        last_step -> Nullable<Int8>,
    }
}

diesel::table! {
    sessions (id) {
        id -> Uuid,
        client_id -> Nullable<Uuid>,
        account_id -> Nullable<Uuid>,
        end_user_id -> Nullable<Uuid>,
        remember_me -> Bool,
        started_at -> Timestamptz,
        expires_at -> Timestamptz,
        ended_at -> Nullable<Timestamptz>,
        from_address -> Nullable<Text>,
        device -> Nullable<Text>,
        last_used_at -> Nullable<Timestamptz>,
        renewals_until -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    unstamped_records (hash) {
        hash -> Text,
        client_id -> Uuid,
        meeting_id -> Uuid,
        recorded_at -> Timestamptz,
    }
}

diesel::table! {
    urn_shares (round_id) {
        round_id -> Uuid,
        client_id -> Uuid,
        share -> Bytea,
    }
}

diesel::table! {
    urns (round_id) {
        round_id -> Uuid,
        client_id -> Uuid,
        public_key -> Bytea,
        holders -> Int4,
        void_at -> Nullable<Timestamptz>,
        opened_at -> Nullable<Timestamptz>,
        key_destroyed_at -> Nullable<Timestamptz>,
        valid_heads -> Nullable<Int4>,
        valid_weight -> Nullable<Numeric>,
        invalid_heads -> Nullable<Int4>,
        invalid_weight -> Nullable<Numeric>,
        answers -> Nullable<Jsonb>,
        option_sums -> Nullable<Jsonb>,
        receipts -> Nullable<Array<Text>>,
        envelopes_hash -> Nullable<Text>,
    }
}

diesel::table! {
    votes (id) {
        id -> Uuid,
        round_id -> Uuid,
        end_user_id -> Uuid,
        option_ids -> Nullable<Array<Uuid>>,
        number -> Nullable<Numeric>,
        answer_text -> Nullable<Text>,
        cast_at -> Nullable<Timestamptz>,
        session_id -> Nullable<Uuid>,
        is_sealed -> Bool,
        sealed -> Nullable<Bytea>,
        cast_by -> Nullable<Uuid>,
        cast_on -> Nullable<Text>,
    }
}

diesel::table! {
    weight_kinds (id) {
        id -> Uuid,
        client_id -> Uuid,
        name -> Text,
        unit -> Nullable<Text>,
        decimals -> Int2,
        created_at -> Timestamptz,
    }
}

diesel::joinable!(accounts -> clients (client_id));
diesel::joinable!(client_branding -> clients (client_id));
diesel::joinable!(client_codes -> clients (client_id));
diesel::joinable!(end_user_counts -> clients (client_id));
diesel::joinable!(end_users -> clients (client_id));
diesel::joinable!(exclusions -> end_users (end_user_id));
diesel::joinable!(exclusions -> questions (question_id));
diesel::joinable!(groups -> clients (client_id));
diesel::joinable!(join_codes -> clients (client_id));
diesel::joinable!(join_codes -> join_links (join_link_id));
diesel::joinable!(join_link_settings -> clients (client_id));
diesel::joinable!(meeting_counts -> clients (client_id));
diesel::joinable!(meetings -> clients (client_id));
diesel::joinable!(password_resets -> accounts (account_id));
diesel::joinable!(recovery_codes -> second_factors (account_id));
diesel::joinable!(refresh_tokens -> sessions (session_id));
diesel::joinable!(rehearsal_answers -> end_users (end_user_id));
diesel::joinable!(round_counters -> rounds (round_id));
diesel::joinable!(round_log -> rounds (round_id));
diesel::joinable!(round_options -> rounds (round_id));
diesel::joinable!(second_factors -> accounts (account_id));
diesel::joinable!(sessions -> accounts (account_id));
diesel::joinable!(sessions -> clients (client_id));
diesel::joinable!(weight_kinds -> clients (client_id));

diesel::allow_tables_to_appear_in_same_query!(
    accounts,
    amendments,
    answer_curations,
    archives,
    attendance,
    audit_entries,
    audit_heads,
    client_branding,
    client_codes,
    clients,
    closing_records,
    demonstration,
    desks,
    end_user_counts,
    end_users,
    exclusions,
    group_members,
    groups,
    installation_keys,
    invitations,
    issued_ballots,
    join_codes,
    join_link_settings,
    join_links,
    meeting_counts,
    meetings,
    options,
    paper_ballots,
    paper_batches,
    participants,
    password_resets,
    people_present,
    prepared_registers,
    presence_entries,
    proxies,
    proxy_settings,
    purges,
    questions,
    record_timestamps,
    recovery_codes,
    refresh_tokens,
    register,
    rehearsal_answers,
    rehearsals,
    remarks,
    result_records,
    round_counters,
    round_log,
    round_options,
    round_proxies,
    rounds,
    seat_answers,
    second_factors,
    sessions,
    unstamped_records,
    urn_shares,
    urns,
    votes,
    weight_kinds,
);
