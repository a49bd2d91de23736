-- Keys, projects, policies, and who is signed in; with each change of them a revision, in the order of commit.

-- One row. Whoever changes anything locks it first.
create table parapet.revision (
  revision bigint not null
);

-- What each revision changed. The token tells one revision 7 from another, where a failover or a backup went back in time.
create table parapet.change (
  revision bigint primary key,
  token uuid not null,
  kind text not null,
  id text not null
);

insert into parapet.revision values (0);
insert into parapet.change values (0, gen_random_uuid(), 'all', '');

create table parapet.project (
  id text primary key,
  place bigint generated always as identity,
  name text not null unique,
  created_at timestamptz not null,
  archived_at timestamptz
);

create table parapet.key (
  id text primary key,
  place bigint generated always as identity,
  project_id text not null references parapet.project,
  name text not null,
  environment text not null check (environment in ('live', 'test')),
  start text not null,
  hash text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  rate_limit_per_minute integer,
  signing_secret text,
  replaced_by text
);

create index on parapet.key (project_id);

-- Without a reference: a use may be written after the key it tells of was lost in a failover.
create table parapet.usage (
  key_id text primary key,
  used_at timestamptz not null
);

-- Its lists of terms lie apart, and with their digest: they are read only where they are compiled.
create table parapet.policy (
  project_id text primary key references parapet.project,
  version integer not null,
  at timestamptz not null,
  by text not null,
  restored integer,
  fields json not null,
  terms json,
  terms_digest text,
  terms_characters integer,
  earlier json not null
);

create table parapet.admin_password (
  only_one boolean primary key default true check (only_one),
  hash text not null
);

create table parapet.session (
  id_hash text primary key,
  started_at timestamptz not null,
  used_at timestamptz not null
);

-- What was counted in an hour or a day, by the id of the key.
create table parapet.statistics (
  period text not null check (period in ('hours', 'days')),
  start timestamptz not null,
  tallies json not null,
  primary key (period, start)
);
