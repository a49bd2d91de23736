-- What was decided on a text of a project that keeps its decisions. The order of the ids is that of time. The text is encrypted, and there only where the
-- project keeps texts. Categories are JSON. Of those that are to be reviewed the doubtful ones, with the least doubt, come first.
create table parapet.decision (
  id text primary key,
  project_id text not null,
  key_id text not null,
  at bigint not null,
  request_id text not null,
  reference text,
  door text not null,
  passed integer not null,
  score integer not null,
  categories text not null,
  language text,
  policy_version integer,
  content bytea,
  delete_at bigint not null,
  review text,
  doubt double precision,
  claimed_by text,
  claimed_until bigint
);

create index decision_of_project on parapet.decision (project_id, id);
create index decision_of_reference on parapet.decision (project_id, reference) where reference is not null;
create index decision_of_request on parapet.decision (request_id);
create index decision_by_end on parapet.decision (delete_at);
create index decision_to_review on parapet.decision (project_id, doubt, id) where review = 'open';
