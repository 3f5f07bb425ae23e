// Faults that are planted by hand in dev, and what a verification must say of them.

// Definitions of functions with something else in them.
export const replaced = (which, from, to) => `do $$ begin execute (select regexp_replace(pg_get_functiondef(p.oid), '${from}', '${to}', 'i') from pg_proc p where ${which}); end $$`;
const elevated = (from, to) => replaced("proname like 'elevated\\_%' and pronargs = 1", from, to);
const searching = (condition) => replaced("p.oid = 'svc.product_search'::regproc", 'and \\(.*\\)(\\s+order by _w)', `and (${condition})\\1`);

// {fault: [SQL in dev, the check that must find it, its message]}; afterwards an apply repairs it.
export const faults = {
  'a policy is dropped': ['drop policy order_select on "order"', 'access', /cannot read the row \S+ of order.*although the contract lets them.*policies of order/],
  'a policy lets everybody read': ['alter policy order_select on "order" using (true)', 'access', /can read the row \S+ of order, which (is .*'s|belongs to nobody), with status \w+; the contract does not let them/],
  'a policy lets everybody change': ['alter policy product_update on product using (true) with check (true)', 'access', /can update .* of product/],
  'a policy lets everybody delete': ['alter policy order_line_delete on order_line using (true)', 'access', /can delete .* of order_line/],
  'a new row may be anybody\'s': ['alter policy order_insert on "order" with check (true)', 'access', /can make a row of order/],
  'a changed row may become anything': ['alter policy order_update on "order" with check (true)', 'access', /can change a row of theirs into a row of order/],
  'row-level security is off': ['alter table "order" disable row level security', 'access', /guest can read the row/],
  'a right is gone': ['revoke delete on order_line from public; do $$ begin execute format(\'revoke delete on order_line from %I\', current_database() || \'_data\'); end $$', 'access', /cannot delete .* of order_line/],
  'the trigger that keeps fields is off': ['alter table product disable trigger product_guard_fields', 'fields', /can change cost of the row \S+ of product/],
  'the trigger that keeps states is off': ['alter table "order" disable trigger order_guard', 'fields', /can change (status|user_id) of the row/],
  'the trigger of the rules is off': ['alter table order_line disable trigger order_line_rules', 'rules', /rule 1 of order_line \(\/entities\/2\/rules\/0\) refuses it/],
  'a rule refuses everything': [`create or replace function svc.order_line_rules() returns trigger language plpgsql as 'begin raise exception using errcode = ''SV422'', message = ''no''; end'`, 'rules', /refused by a rule, although none/],
  'a transition is anybody\'s': [`do $$ begin execute replace(pg_get_functiondef('svc.order_transition'::regproc), 'svc.acts_as(''clerk'')', 'true'); end $$`, 'lifecycles', /can "ship" the row \S+ of order.*although the contract does not let them/],
  'a transition goes nowhere': [`do $$ begin execute replace(pg_get_functiondef('svc.order_transition'::regproc), 'set status = ''shipped''', 'set status = ''placed'''); end $$`, 'lifecycles', /cannot "ship"/],
  'a column is gone': ['alter table product drop column description cascade', 'schema', /at product: an apply would add column/],
  'a column has another type': ['alter table product alter column stock type numeric', 'schema', /at product/],
  'a policy is dropped, and a query misses rows': ['drop policy order_line_select on order_line', 'queries', /reports\/top_products, run by \w+ \(\w[^)]*\), gives 0 rows where its SQL finds [1-9]\d* in the rows that they may read/],
  'row-level security is off, and a query gives other rows': ['alter table order_line disable row level security', 'queries', /reports\/top_products, run by guest, gives [1-9]\d* rows where its SQL finds 0 in the rows that they may read/],
  'administrators do not read past row-level security': [elevated('security definer', 'security invoker'), 'queries', /reports\/top_products, run by admin \(\w+\) in a session past row-level security, answers \d+, although they are an administrator/],
  'administrators read past row-level security in part': [elevated('where l', 'where p.id is null and l'), 'queries', /run by admin \(\w+\) in a session past row-level security, gives 0 rows where its SQL finds [1-9]\d* in all rows/],
  'a search finds what is not to be read': [`alter policy product_select on product using (true); ${searching('true')}`, 'search', /guest finds the row \S+ of product by "[\w ]+"; the contract does not let them read it/],
  'a search does not find what is to be read': [searching('not r.active'), 'search', /guest does not find the row \S+ of product by ".*", although the words are in a field that they may read/],
  'words of new rows are not kept': ['alter table product disable trigger product_words_insert', 'search', /does not find the row \S+ of product/],
  'a policy lets everybody read, and pages show it': ['alter policy order_select on "order" using (true)', 'pages', /The page \/(?:order\S*)?, opened by [\w ]+(\(\d\))?, shows "[0-9a-f-]{36}" of order, which they may not read/],
  'changes leave no record': ['alter table product disable trigger product_updated', 'feeds', /A change of product is not recorded/],
  'the history of a row is not written': ['alter table product disable trigger product_history', 'history', /asks for the history of a row of product and does not get the entry that it was (deleted|updated)/],
  'an index is gone': ['drop index order_line_product_id_idx', 'statements', null],
};

// Faults that every app can have. {fault: [SQL that makes it, SQL that removes it, the only checks that must fail,
// their message]}
const publishing = (verb, preposition) => `do $$ begin execute format('${verb} execute on function svc.publish ${preposition} %I', current_database() || '_data'); end $$`;
const judging = (from, to) => replaced("p.oid = 'svc.may_read_rows'::regproc", from, to);
const telling = (from, to) => replaced("p.oid = 'svc.feed_since'::regproc", from, to);
export const common = {
  'publish is refused': [publishing('revoke', 'from'), publishing('grant', 'to'), ['topics', 'feeds'], /may publish to [\w:.-]+, but is answered 403/],
  'a feed judges rows for everybody': [judging('\\(c\\.names', "(c.names || '',staff''"), judging("\\(c\\.names \\|\\| '',staff''", '(c.names'), ['feeds'], /listens to order_line and gets \w+ \S+ where the contract lets them see/],
  'a feed cannot judge rows, and resets everybody': [judging("''_readers''", "''_lost''"), judging("''_lost''", "''_readers''"), ['feeds'], /listens to \w+ and gets a reset, although none of the changes can show or hide another row to them/],
  'a feed tells other values than a row has': [telling('c\\.new,', `case c.table_name when ''product'' then (c.new::jsonb || ''{"title": "Forged"}'')::json else c.new end,`), telling('case c\\.table_name when .* else c\\.new end,', 'c.new,'), ['feeds'],
    /listens to product and gets another title than the row had \((created|updated) \S+\)/],
  'a feed tells of a row that was not there': [telling('c\\.old, c', 'null::json, c'), telling('null::json, c\\.new', 'c.old, c.new'), ['feeds'], /listens to \w+ and gets created \S+ where the contract lets them see (updated|deleted) \S+/],
  'the history forgets what a row was': [`create or replace function svc.note_history_again() returns trigger language plpgsql as $$ begin new.old := null; return new; end $$; create trigger forget before insert on svc.history for each row execute function svc.note_history_again()`,
    'drop trigger forget on svc.history; drop function svc.note_history_again()', ['history'], /does not get the row before a change, where there was one/],
};
