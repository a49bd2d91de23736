-- Who has judged a decision that waits for a second person; null of every other one. Until then `review` is what the first one said.
alter table parapet.decision add column first_reviewer text;

create index decision_to_review_again on parapet.decision (project_id, doubt, id, first_reviewer) where first_reviewer is not null;
create index decision_to_review_again_anywhere on parapet.decision (doubt, id, first_reviewer) where first_reviewer is not null;
