// An app with functions and workflows of every kind of end, and faults of their definitions.

const put = (id, entity, data) => ({ id, create: { entity, data } });
const defaulted = { params: { most: { type: 'integer', default: 2 } }, steps: [{ id: 'no', if: 'input.most == null', fail: 'No default.' }, put('kept', 'note', { text: '{input.most} at most' })] };
export const flowing = (url) => ({
  app: { name: 'Flowing' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }, { id: 'clerk', kind: 'staff' }],
  entities: [
    { name: 'item', owner: 'none', fields: [{ name: 'title', type: 'string' }, { name: 'stock', type: 'integer', default: 1 }],
      lifecycle: { field: 'status', initial: 'open', states: ['open', 'sold'], transitions: [{ name: 'sell', from: 'open', to: 'sold', by: ['clerk'] }] },
      access: { read: ['*'], create: ['clerk'], update: ['clerk'] } },
    { name: 'note', owner: 'none', fields: [{ name: 'text', type: 'string' }], access: { read: ['*'], create: ['clerk'] } },
  ],
  webhooks: { in: [{ name: 'till', run: 'called' }] },
  topics: [{ name: 'app:go', publish: ['clerk'], subscribe: ['clerk'] }],
  functions: [
    { name: 'add', allow: ['clerk'], params: { title: { type: 'string', required: true } }, steps: [put('made', 'item', { title: '{input.title}' })],
      returns: { id: '{steps.made.id}', stock: '{steps.made.stock}', made: '{steps.made}' } },
    { name: 'sell', allow: ['member', 'clerk'], params: { item: { type: 'uuid', required: true } },
      steps: [{ id: 'sold', transition: { entity: 'item', id: '{input.item}', transition: 'sell' } }], returns: '{steps.sold}' },
    { name: 'quote', allow: ['server'], steps: [{ id: 'ask', http: { method: 'PUT', url: `${url}/quote?of=tea`, body: { a: 1 } } }, put('kept', 'note', { text: 'quoted' })],
      returns: { status: '{steps.ask.status}' } },
    { name: 'mine', allow: ['member'], runAs: 'actor', steps: [put('no', 'note', { text: 'not a clerk' })] },
    { name: 'never', allow: ['clerk'], steps: [{ id: 'no', fail: 'Not today.' }] },
    { name: 'unless', allow: ['clerk'], params: { stop: { type: 'boolean' } }, steps: [{ id: 'no', if: 'input.stop', fail: 'Stopped.' }, put('kept', 'note', { text: 'on' })] },
    { name: 'inner', steps: [put('kept', 'note', { text: 'inner' })] },
  ],
  workflows: [
    { id: 'on_created', on: { entity: 'item', event: 'created' }, if: 'new.stock < 5', steps: [
      { id: 'ask', http: { method: 'POST', url: `${url}/created`, body: { title: '{new.title}' } } },
      { id: 'mail', email: { to: 'ann@example.test', subject: 'New', text: '{new.title}' } },
      put('kept', 'note', { text: 'answered {steps.ask.status}' })] },
    { id: 'on_sold', on: { entity: 'item', transition: 'sell' }, if: "old.status == 'open'", steps: [{ id: 'say', publish: { topic: 'app:go', payload: {} } }] },
    { id: 'on_signup', on: { auth: 'signup' }, runAs: 'actor', steps: [put('no', 'note', { text: '{input.user.email}' })] },
    { id: 'later', on: { manual: true }, steps: [
      { id: 'nap', sleep: '1h' }, { id: 'heard', waitFor: { topic: 'app:go', timeout: '1d' } },
      { id: 'again', if: 'steps.heard.timedOut', call: { workflow: 'each' } }, { id: 'tell', notify: { to: 'clerk', title: 'Woken' } }] },
    { id: 'each', on: { every: '1h' }, steps: [{ id: 'one', for: { entity: 'item', limit: 3 }, as: 'it', http: { method: 'GET', url: `${url}/each/{it.id}` } }] },
    { id: 'gone', on: { manual: true }, params: { text: { type: 'string' } }, steps: [{ id: 'change', retry: { max: 2 }, update: { entity: 'note', id: '{actor.id}', data: { text: '{input.text}' } } }] },
    { id: 'fails', on: { manual: true }, steps: [{ id: 'call', call: { function: 'inner' } }, { id: 'no', fail: 'This cannot be.' }] },
    { id: 'on_failed', on: { failed: 'fails' }, steps: [put('kept', 'note', { text: '{input.error}' })] },
    { id: 'timed', on: { every: '1d' }, ...defaulted },
    { id: 'called', on: { manual: true }, ...defaulted },
    { id: 'unreached', on: { manual: true }, if: '1 > 2', steps: [put('kept', 'note', { text: 'no' })] },
  ],
});

// {fault: [the change of a definition in dev, its workflow or function, the only check that must fail, its message]}
const text = (sql) => `to_jsonb($q$${sql}$q$::text)`;
export const broken = {
  'a result of another type': [`jsonb_set(body, '{returns}', ${text("select jsonb_build_object('id', null, 'made', null, 'stock', 'many')")})`, 'add', 'functions',
    /function add, called by clerk \(1\) with .* answers 200; result\.stock is a text and not a whole number/],
  'a member is missing': [`jsonb_set(body, '{returns}', ${text("select jsonb_build_object('id', null, 'made', null)")})`, 'add', 'functions', /result has no stock/],
  'a function fails for no reason': [`jsonb_set(body, '{steps,0}', jsonb_build_object('id', 'made', 'kind', 'fail', 'runAs', 'system', 'sql', ${text("select to_jsonb('No.'::text)")}))`, 'add', 'functions',
    /function add, called by clerk \(1\) with .* answers 422 FUNCTION_FAILED; nothing in the contract refuses that/],
  'a function refuses whom it must not': [`jsonb_set(body, '{steps,0,runAs}', '"actor"')`, 'quote', 'functions', null],
  'a function names what is not there': [`jsonb_set(body, '{steps,0,sql}', ${text('select to_jsonb(public.no_such_function())')})`, 'add', 'functions', /function add, begun by clerk \(1\), ends refused: .*no_such_function.* \(42883\)/],
  'a step names a column that is gone': [`jsonb_set(body, '{steps,2,sql}', ${text('select to_jsonb(n.gone) from public.note n')})`, 'on_created', 'workflows',
    /workflow on_created, begun by a row of item that was created, ends dead at kept: .*gone.*\(CONTRACT_CHANGED\)/],
  'a step is tried for ever': [`jsonb_set(body, '{steps,0,retry,max}', '1000000')`, 'gone', 'workflows', /workflow gone, begun by hand, ends never: it is at change again and again/],
  'a mail goes to somebody else': [`replace(body::text, 'ann@example.test', 'bob@example.test')::jsonb`, 'on_created', 'workflows', /definition of the workflow on_created in the database is not the one that the contract gives/],
};
