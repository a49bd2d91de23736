-- What is told apart of verdicts and refusals. Empty, or -1, is what was not told apart.
create table parapet.statistics_cell (
  id bigint primary key,
  key_id text not null,
  door text not null,
  language text not null,
  score integer not null,
  categories text not null
);

-- How often something happened within a span of time (its length and its start, in milliseconds): see src/storage/statistics/counts.ts.
create table parapet.statistics_count (
  span bigint not null,
  start bigint not null,
  outcome text not null,
  cell bigint not null,
  total bigint not null,
  primary key (span, start, outcome, cell)
);

-- All that is asked of many counts stands in it.
create index statistics_count_all on parapet.statistics_count (span, start, outcome, cell, total);

-- PostgreSQL {
insert into parapet.statistics_cell
select -row_number() over (order by key), case key when 'other' then '' else key end, '', '', -1, ''
from (select distinct key from parapet.statistics, json_each(tallies)) as keys;

insert into parapet.statistics_count
select
  case period when 'hours' then 3600000 else 86400000 end,
  (extract(epoch from start) * 1000)::bigint,
  counted.outcome,
  cell.id,
  counted.total
from parapet.statistics
cross join json_each(tallies) as of_key
join parapet.statistics_cell as cell on cell.key_id = case key when 'other' then '' else key end
cross join lateral (
  values
    ('passed', (value ->> 'requests')::bigint - (value ->> 'flagged')::bigint),
    ('failed', (value ->> 'flagged')::bigint),
    ('cached', (value ->> 'cacheHits')::bigint),
    ('within_5', (value -> 'latency' ->> 0)::bigint),
    ('within_10', (value -> 'latency' ->> 1)::bigint),
    ('within_25', (value -> 'latency' ->> 2)::bigint),
    ('within_50', (value -> 'latency' ->> 3)::bigint),
    ('within_100', (value -> 'latency' ->> 4)::bigint),
    ('within_250', (value -> 'latency' ->> 5)::bigint),
    ('within_500', (value -> 'latency' ->> 6)::bigint),
    ('within_1000', (value -> 'latency' ->> 7)::bigint),
    ('within_2500', (value -> 'latency' ->> 8)::bigint),
    ('longer', (value -> 'latency' ->> 9)::bigint)
) as counted (outcome, total)
where counted.total > 0;
-- }

drop table if exists parapet.statistics;
