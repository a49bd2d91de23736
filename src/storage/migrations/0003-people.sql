-- From here on each step is one of both engines: see src/storage/sql/sql-database.ts for what they have in common.

-- Whoever signs in beside the owner, who is the password of the service. The subject is what a provider of sign-ins calls them.
create table parapet.account (
  id text primary key,
  name text not null unique,
  role text not null,
  password_hash text,
  subject text unique,
  created_at bigint not null,
  created_by text not null,
  disabled_at bigint
);

-- One that was used or withdrawn is deleted. With an account it sets a new password for that.
create table parapet.invitation (
  id text primary key,
  token_hash text not null unique,
  name text not null,
  role text not null,
  account_id text,
  created_at bigint not null,
  created_by text not null,
  expires_at bigint not null
);

drop table if exists parapet.session;

-- What the browser calls itself, and its address, are for those who look at who is signed in.
create table parapet.session (
  id_hash text primary key,
  account_id text not null,
  started_at bigint not null,
  used_at bigint not null,
  address text not null,
  agent text not null,
  -- Null: with a password.
  way text
);

-- Made once by the first server, for what signs where there is no password.
create table parapet.secret (
  name text primary key,
  value text not null
);

create table parapet.admin_token (
  id text primary key,
  name text not null,
  role text not null,
  start text not null,
  hash text not null unique,
  created_at bigint not null,
  created_by text not null,
  expires_at bigint,
  revoked_at bigint,
  used_at bigint
);

-- The audit log knows a token by its name.
create unique index admin_token_of_name on parapet.admin_token (name) where revoked_at is null;

-- Each entry holds the hash of the one before it: one that is changed or taken out of the middle is found.
create table parapet.audit (
  sequence bigint primary key,
  at bigint not null,
  actor text not null,
  action text not null,
  subject text not null,
  details text not null,
  previous text not null,
  hash text not null
);
