// The database of an app as its superuser has it: filled, read, and put back as it was after each write.
import { Sql, ident, literal } from '../lib/sql.mjs';
import { tried } from './routes/direct.mjs';
import { Rows } from './rows.mjs';

const table = (name) => `public.${ident(name)}`;
const names = (columns) => columns.map((column) => ident(column.name)).join(', ');

const wordsAnew = `do $$ declare entity text; begin
  for entity in select substr(relname, 1, length(relname) - 6) from pg_class
                where relnamespace = 'svc'::regnamespace and relkind = 'r' and relname like '%\\_words' loop
    execute format('delete from svc.%I', entity || '_words');
    execute format('call svc.%I(false)', entity || '_fill_words');
  end loop;
end $$`;

export class Database {
  constructor(url, entities, zone) {
    this.sql = new Sql(url);
    this.entities = entities;
    this.zone = zone;
  }

  // A script past policies and triggers. What triggers would have kept of rows for searches is made anew.
  quietly(script) {
    return this.sql.run(`begin; set local session_replication_role = replica; ${script}; ${wordsAnew}; commit`);
  }

  // Columns that may be written: a computed one keeps itself.
  stored(entity) { return entity.columns.filter((column) => !column.computed); }

  async rows() {
    const tables = {};
    for (const { name } of this.entities) {
      tables[name] = (await this.sql.json(`select coalesce(jsonb_agg(to_jsonb(t) order by id), '[]') from ${table(name)} t`)) ?? [];
    }
    return new Rows(this.entities, this.zone, tables);
  }

  row(name, id) {
    return this.sql.json(`select to_jsonb(t) from ${table(name)} t where id = ${literal(id)}`);
  }

  async insert(rowsByEntity) {
    const one = (entity, row) => {
      const columns = names(this.stored(entity).filter((column) => column.name in row));
      const read = `jsonb_populate_record(null::${table(entity.name)}, ${literal(JSON.stringify(row))})`;
      return `insert into ${table(entity.name)} (${columns}) select ${columns} from ${read}`;
    };
    await this.quietly(this.entities.flatMap((entity) => rowsByEntity[entity.name].map((row) => one(entity, row))).join(';\n'));
  }

  // Keeps the state that restore() restores.
  async keep() {
    const copies = this.entities.map(({ name }) => `create table proof.${ident(name)} as table ${table(name)}`);
    await this.sql.run(`drop schema if exists proof cascade; create schema proof; ${tried}; ${copies.join('; ')}`);
  }

  async restore(entities = this.entities) {
    const one = (entity) => {
      const columns = names(this.stored(entity));
      return `delete from ${table(entity.name)}; insert into ${table(entity.name)} (${columns}) select ${columns} from proof.${ident(entity.name)}`;
    };
    await this.quietly(entities.map(one).join('; '));
  }

  // Tables that are not as they were kept.
  async changed() {
    const out = [];
    for (const { name } of this.entities) {
      const differ = `((table ${table(name)} except table proof.${ident(name)}) union all (table proof.${ident(name)} except table ${table(name)}))`;
      if ((await this.sql.json(`select count(*) from ${differ} d`)) > 0) out.push(name);
    }
    return out;
  }

  close() { this.sql.close(); }
}
