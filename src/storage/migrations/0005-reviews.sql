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

-- Where a project wants to be told of outcomes. Requests are signed with the secret, so it is kept as it is; with the earlier one too until its time.
create table parapet.webhook (
  project_id text primary key,
  url text not null,
  secret text not null,
  earlier_secret text,
  earlier_until bigint,
  created_at bigint not null,
  succeeded_at bigint,
  disabled_at bigint
);

-- What waits to be sent, and what was given up ("dead"). What was taken is deleted. The id is that of the webhook's header.
create table parapet.delivery (
  id text primary key,
  project_id text not null references parapet.webhook on delete cascade,
  created_at bigint not null,
  payload text not null,
  state text not null,
  attempts integer not null default 0,
  next_at bigint not null,
  problem text
);

create index delivery_due on parapet.delivery (next_at) where state = 'waiting';
create index delivery_of_project on parapet.delivery (project_id, created_at);
