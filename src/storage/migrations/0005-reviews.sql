-- What people said of decisions, and who asked for it. All of it goes with the decision.

-- Of a decision at most one is open. What its appellant says is encrypted.
create table parapet.appeal (
  id text primary key,
  decision_id text not null references parapet.decision on delete cascade,
  project_id text not null,
  at bigint not null,
  content bytea,
  outcome text
);

create unique index appeal_open on parapet.appeal (decision_id) where outcome is null;
create index appeal_of_decision on parapet.appeal (decision_id);

-- In the order of commit, by a number that grows with the clock: whoever has read up to one of them misses none that comes later. One that is taken
-- back stays, and another row says so. The note is encrypted, categories are a JSON array.
create table parapet.review (
  sequence bigint primary key,
  decision_id text not null references parapet.decision on delete cascade,
  project_id text not null,
  at bigint not null,
  reviewer text not null,
  outcome text not null,
  should_pass integer not null,
  categories text not null,
  note bytea,
  appeal_id text,
  undone integer not null default 0
);

create index review_of_decision on parapet.review (decision_id);
create index review_of_project on parapet.review (project_id, sequence);
create index review_of_reviewer on parapet.review (reviewer, sequence);

create index decision_to_review_anywhere on parapet.decision (doubt, id) where review = 'open';
