-- What was decided on a text of a project that keeps its decisions. The order of the ids is that of time. The text is encrypted, and there only where the
-- project keeps texts. Categories are a JSON array. Of those that are to be reviewed the doubtful ones, with the least doubt, come first.
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
create index decision_of_language on parapet.decision (project_id, language, id);
create index decision_of_reference on parapet.decision (project_id, reference, id) where reference is not null;
create index decision_of_request on parapet.decision (request_id);
create index decision_by_end on parapet.decision (delete_at);
create index decision_to_review on parapet.decision (project_id, doubt, id) where review = 'open';
create index decision_reviewed on parapet.decision (project_id, review, id) where review is not null;

-- Most texts pass, with a low score and without a category, so each of these holds a small part.
create index decision_failed on parapet.decision (project_id, id) where passed = 0;
create index decision_moderate on parapet.decision (project_id, id) where score >= 4;
create index decision_severe on parapet.decision (project_id, id) where score >= 7;
create index decision_blocked_term on parapet.decision (project_id, id) where categories like '%"blocked_term"%';
create index decision_toxic on parapet.decision (project_id, id) where categories like '%"toxic"%';
create index decision_severe_toxic on parapet.decision (project_id, id) where categories like '%"severe_toxic"%';
create index decision_obscene on parapet.decision (project_id, id) where categories like '%"obscene"%';
create index decision_threat on parapet.decision (project_id, id) where categories like '%"threat"%';
create index decision_insult on parapet.decision (project_id, id) where categories like '%"insult"%';
create index decision_hate on parapet.decision (project_id, id) where categories like '%"hate"%';
create index decision_sexual on parapet.decision (project_id, id) where categories like '%"sexual"%';
create index decision_self_harm on parapet.decision (project_id, id) where categories like '%"self_harm"%';
create index decision_spam on parapet.decision (project_id, id) where categories like '%"spam"%';
create index decision_unreadable on parapet.decision (project_id, id) where categories like '%"unreadable"%';

-- How many decisions of a day (UTC, YYYY-MM-DD) could not be kept.
create table parapet.decision_loss (
  project_id text not null,
  day text not null,
  lost bigint not null,
  primary key (project_id, day)
);
