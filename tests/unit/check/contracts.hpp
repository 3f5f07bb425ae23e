// A contract with every way of granting and denying, for tests of exposure.
#pragma once

namespace svc::tests {

inline const char* const kDesk = R"json({
  "app": {"name": "Desk"},
  "orgs": {"enabled": true, "roles": ["owner", "member"]},
  "personas": [
    {"id": "client", "kind": "consumer"}, {"id": "agent", "kind": "staff"},
    {"id": "lead", "kind": "staff", "extends": ["agent"]}, {"id": "auditor", "kind": "staff"}],
  "entities": [
    {"name": "ticket",
     "fields": [
       {"name": "title", "type": "string", "required": true},
       {"name": "body", "type": "text"},
       {"name": "priority", "type": "integer", "default": 1},
       {"name": "locked", "type": "boolean", "default": false},
       {"name": "secret", "type": "text", "read": ["lead"], "write": ["agent"]},
       {"name": "origin", "type": "text", "immutable": true}],
     "relations": {"notes": {"many": "note", "by": "ticket_id"}},
     "lifecycle": {"field": "state", "initial": "open", "states": ["open", "busy", "done"],
       "transitions": [
         {"name": "take", "from": "open", "to": "busy", "by": ["agent"]},
         {"name": "close", "from": ["open", "busy"], "to": "done", "by": ["client", "lead"],
          "if": "!locked && exists(notes)"},
         {"name": "lose", "from": "done", "to": "open", "by": ["auditor", "server"]}]},
     "access": {
       "read": [{"to": "consumer", "if": "user_id == user.id"}, {"to": "agent", "if": "priority > 1"},
                "lead", {"to": "*", "if": "state == 'done'"}],
       "create": ["client", {"to": "agent", "if": "priority < 3"}],
       "update": [{"to": "client", "if": "user_id == user.id && !locked", "fields": ["title", "body"]},
                  {"to": "agent", "fields": ["priority", "locked", "body"]}, "lead"],
       "delete": ["lead", {"to": "client", "if": "user_id == user.id && priority == null"}],
       "deny": {"update": [{"to": "agent", "if": "state == 'done'"}],
                "delete": [{"to": "*", "if": "locked || priority in [3, 4]"}]}}},
    {"name": "note", "owner": "parent:ticket_id",
     "fields": [{"name": "ticket_id", "type": "ref", "to": "ticket", "required": true, "onDelete": "cascade"},
                {"name": "body", "type": "text"}],
     "access": {"same_as": "ticket_id"}},
    {"name": "picture", "owner": "none",
     "fields": [{"name": "note_id", "type": "ref", "to": "note", "onDelete": "cascade"},
                {"name": "title", "type": "text"}],
     "access": {"same_as": "note_id"}},
    {"name": "diary", "fields": [{"name": "body", "type": "text"}]},
    {"name": "states", "owner": "none", "fields": [{"name": "body", "type": "text"}]},
    {"name": "place", "owner": "org",
     "fields": [{"name": "name", "type": "text"}, {"name": "public", "type": "boolean"}],
     "access": {"read": [{"to": "org:member", "if": "org_id == user.org"}, {"to": "guest", "if": "public"},
                         {"to": "lead", "if": "user.persona == 'lead' && public == false"}, "server"],
                "create": ["org:owner", "server"],
                "update": [{"to": "org:owner", "if": "org_id == user.org"},
                           {"to": "org:member", "if": "org_id == user.org", "fields": ["name"]}],
                "deny": {"read": ["auditor"]}}}
  ]
})json";

}  // namespace svc::tests
