// @generated from the migrations by tests/schema_file.rs.

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
    clients (id) {
        id -> Uuid,
        name -> Text,
        client_code -> Text,
        contact_email -> Text,
        status -> Text,
        subscription_plan -> Text,
        created_at -> Timestamptz,
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
    participants (meeting_id, end_user_id) {
        client_id -> Uuid,
        meeting_id -> Uuid,
        end_user_id -> Uuid,
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
    }
}

diesel::table! {
    refresh_tokens (token_hash) {
        token_hash -> Bytea,
        session_id -> Uuid,
        issued_at -> Timestamptz,
        expires_at -> Timestamptz,
        used_at -> Nullable<Timestamptz>,
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
    round_options (round_id, option_id) {
        round_id -> Uuid,
        option_id -> Uuid,
        position -> Int4,
        option_text -> Text,
        role -> Text,
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
        cast_at -> Timestamptz,
    }
}

diesel::joinable!(accounts -> clients (client_id));
diesel::joinable!(end_users -> clients (client_id));
diesel::joinable!(meetings -> clients (client_id));
diesel::joinable!(refresh_tokens -> sessions (session_id));
diesel::joinable!(register -> rounds (round_id));
diesel::joinable!(round_counters -> rounds (round_id));
diesel::joinable!(round_options -> rounds (round_id));
diesel::joinable!(sessions -> accounts (account_id));
diesel::joinable!(sessions -> clients (client_id));

diesel::allow_tables_to_appear_in_same_query!(
    accounts,
    clients,
    end_users,
    meetings,
    options,
    participants,
    questions,
    refresh_tokens,
    register,
    round_counters,
    round_options,
    rounds,
    sessions,
    votes,
);
