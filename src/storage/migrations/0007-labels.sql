-- What is known of texts from elsewhere: suggested by callers, or imported. What people say of decisions stays with these. The text is encrypted, and the
-- id is made of it, so that a text is there once. Truths are a JSON object by category; what it does not name is unknown. Null: for ever.
create table parapet.label (
  id text primary key,
  project_id text not null,
  source text not null,
  at bigint not null,
  language text,
  should_pass integer,
  truths text not null,
  content bytea not null,
  delete_at bigint
);

create index label_of_project on parapet.label (project_id, source, at);
create index label_by_end on parapet.label (delete_at) where delete_at is not null;
