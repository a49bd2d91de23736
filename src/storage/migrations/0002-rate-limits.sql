-- What each key, and whoever tries to sign in, took of a limit, as rate-limiter-flexible counts it. Not written to the log of changes: after a crash
-- or a failover counting begins anew. Half of each page is free, so that counting writes no index.
create unlogged table parapet.rate_limit (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
) with (fillfactor = 50);
