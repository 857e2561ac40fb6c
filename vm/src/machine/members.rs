//! Properties, indices and longer ways into values: everything behind a `.` or a `[` on the left or right of an assignment.

use crate::code::{Action, BinOp, Path, PathStep, Reg};
use crate::error::{FaultKind, Raise, Raised, raise};
use crate::host::{Call, Flow, Host, HostError, HostObject};
use crate::library::{Env, strings};
use crate::machine::WINDOW;
use crate::operators;
use crate::program::{Access, Property};
use crate::spares::{own_list, own_map};
use crate::value::{HandleKind, Shared, Value};
use std::sync::Arc;

/// Registers the compiler never hands out: room for the machine while it walks.
pub(crate) const SCRATCH: Reg = 253;
const SCRATCH_KEY: Reg = 254;
const SCRATCH_OUT: Reg = 255;

type Window<H> = [Value<<H as Host>::Object>; WINDOW];
type Result<T, H> = Raised<T, <H as Host>::Object>;

fn access<O: HostObject>(property: &Property, value: &Value<O>) -> Access {
    let (table, kind) = match value {
        Value::Handle(kind, _) => (&property.handle, *kind),
        Value::Small(kind, _) => (&property.small, *kind),
        Value::Object(o) => (&property.object, o.kind()),
        _ => return Access::None,
    };
    table.get(kind as usize).copied().unwrap_or_default()
}

#[cold]
#[inline(never)]
fn no_property<H: Host>(
    env: &Env<'_, H>,
    value: &Value<H::Object>,
    name: &str,
) -> Box<Raise<H::Object>> {
    let ty = env.type_name(value);
    raise(FaultKind::Type, format!("{ty} has no property `{name}`"))
}

#[cold]
fn read_only<H: Host>(
    env: &Env<'_, H>,
    value: &Value<H::Object>,
    name: &str,
) -> Box<Raise<H::Object>> {
    let ty = env.type_name(value);
    raise(
        FaultKind::Type,
        format!("property `{name}` of {ty} cannot be set"),
    )
}

#[cold]
fn must_not_suspend<O>() -> Box<Raise<O>> {
    HostError::new("a property that is changed or read inside a longer expression cannot suspend")
        .into()
}

/// `r[d] = r[o].p`
#[inline(never)]
pub(crate) fn get<H: Host>(
    env: &mut Env<'_, H>,
    r: &mut Window<H>,
    d: Reg,
    o: Reg,
    p: u16,
) -> Result<Flow, H> {
    let property = &env.program.properties[p as usize];
    let value = &r[o as usize];
    let found = match (access(property, value), value) {
        (Access::Slot { slot, .. }, Value::Handle(kind, id)) => {
            let (kind, id) = (*kind, *id);
            env.host.slot_into(kind, slot, id, &mut r[d as usize]);
            return Ok(Flow::Done);
        }
        (Access::Function { get, .. }, _) => {
            let call = Call::new(r, d, [o, 0, 0, 0], 1);
            return Ok((env.program.natives[get as usize].call)(env.host, call)?);
        }
        (_, Value::Map(map)) => match map.get_known(&property.name) {
            Some(found) => found.clone(),
            None => return Err(operators::no_key(env, &property.name, map)),
        },
        (_, value) => {
            let own = property.own;
            let found = own.and_then(|own| crate::library::property(env, value, own));
            match found {
                Some(found) => found,
                None => return Err(no_property(env, value, &property.name)),
            }
        }
    };
    r[d as usize].put_made(found);
    Ok(Flow::Done)
}

/// `r[o].p = r[s]`
#[inline(never)]
pub(crate) fn set<H: Host>(
    env: &mut Env<'_, H>,
    r: &mut Window<H>,
    o: Reg,
    s: Reg,
    p: u16,
) -> Result<(), H> {
    let property = &env.program.properties[p as usize];
    match (access(property, &r[o as usize]), &r[o as usize]) {
        (
            Access::Slot {
                slot,
                writable: true,
            },
            Value::Handle(kind, id),
        ) => Ok(env.host.set_slot(*kind, slot, *id, &r[s as usize])?),
        (Access::Function { set: Some(set), .. }, _) => {
            let call = Call::new(r, SCRATCH_OUT, [o, s, 0, 0], 2);
            match (env.program.natives[set as usize].call)(env.host, call)? {
                Flow::Done => Ok(()),
                Flow::Suspend => Err(must_not_suspend()),
            }
        }
        (Access::Slot { .. } | Access::Function { .. }, value) => {
            Err(read_only(env, value, &property.name))
        }
        (Access::None, Value::Map(_)) => {
            let new = r[s as usize].clone();
            let Value::Map(map) = &mut r[o as usize] else {
                unreachable!("just matched")
            };
            let map = own_map(map);
            let inner = new.depth();
            match map.get_known_mut(&property.name) {
                Some(place) => place.put(new),
                None => {
                    map.insert(property.name.clone(), new);
                    let len = map.len();
                    env.map_size(len)?;
                }
            }
            env.stored(&mut r[o as usize], inner)
        }
        (Access::None, value) => Err(no_property(env, value, &property.name)),
    }
}

/// `r[o].p op= r[s]`
#[inline(never)]
pub(crate) fn update<H: Host>(
    env: &mut Env<'_, H>,
    r: &mut Window<H>,
    op: BinOp,
    o: Reg,
    s: Reg,
    p: u16,
) -> Result<(), H> {
    let property = &env.program.properties[p as usize];
    match (
        access(property, &r[o as usize]),
        &r[o as usize],
        &r[s as usize],
    ) {
        (
            Access::Slot {
                slot,
                writable: true,
            },
            Value::Handle(kind, id),
            Value::Int(n),
        ) if op == BinOp::Add => Ok(env.host.add_slot(*kind, slot, *id, *n)?),
        (
            Access::Slot {
                slot,
                writable: true,
            },
            Value::Handle(kind, id),
            Value::Int(n),
        ) if op == BinOp::Sub && *n != i64::MIN => Ok(env.host.add_slot(*kind, slot, *id, -*n)?),
        (Access::None, Value::Map(_), _) => {
            let change = r[s as usize].clone();
            let Value::Map(map) = &mut r[o as usize] else {
                unreachable!("just matched")
            };
            let Some(place) = own_map(map).get_known_mut(&property.name) else {
                return Err(operators::no_key(env, &property.name, map));
            };
            operators::update(env, op, place, &change)?;
            let inner = place.depth();
            env.stored(&mut r[o as usize], inner)
        }
        (Access::None, value, _) => Err(no_property(env, value, &property.name)),
        _ => {
            if get(env, r, SCRATCH_OUT, o, p)? == Flow::Suspend {
                return Err(must_not_suspend());
            }
            let mut value = r[SCRATCH_OUT as usize].take();
            operators::update(env, op, &mut value, &r[s as usize])?;
            r[SCRATCH_OUT as usize].put(value);
            let done = set(env, r, o, SCRATCH_OUT, p);
            r[SCRATCH_OUT as usize].put(Value::Unit);
            done
        }
    }
}

/// `slot op= change` where the change is not a plain number.
#[inline(never)]
pub(crate) fn update_slot<H: Host>(
    env: &mut Env<'_, H>,
    op: BinOp,
    (kind, slot, id): (HandleKind, u16, u32),
    change: &Value<H::Object>,
) -> Result<(), H> {
    let mut value = env.host.slot(kind, slot, id);
    operators::update(env, op, &mut value, change)?;
    Ok(env.host.set_slot(kind, slot, id, &value)?)
}

/// The place an index names inside an array or map. A new key of a map makes a new place if `grow`.
fn place<'v, H: Host>(
    env: &mut Env<'_, H>,
    value: &'v mut Value<H::Object>,
    key: &Value<H::Object>,
    grow: bool,
) -> Result<&'v mut Value<H::Object>, H> {
    let word = env.host.word(key);
    let name = key.as_str().or(word.map(|word| &**word));
    match (value, key, name) {
        (Value::Array(items), Value::Int(i), _) => {
            let len = items.len();
            match operators::offset(*i, len) {
                Some(at) => Ok(&mut own_list(items)[at]),
                None => Err(operators::out_of_range(*i, len)),
            }
        }
        (Value::Map(map), _, Some(key)) => {
            let map = own_map(map);
            let at = match map.find(key) {
                Ok(at) => at,
                Err(at) if grow => {
                    env.map_size(map.len() + 1)?;
                    let written = word.or_else(|| env.program.texts.get(key));
                    let key = written.map_or_else(|| key.into(), Arc::clone);
                    map.insert_at(at, key, Value::Unit);
                    at
                }
                Err(_) => {
                    let key = key.to_string();
                    return Err(operators::no_key(env, &key, map));
                }
            };
            Ok(map.at_mut(at))
        }
        (value, key, _) => {
            let (x, y) = (env.type_name(value), env.type_name(key));
            Err(raise(
                FaultKind::Type,
                format!("{x} cannot be indexed with {y} here"),
            ))
        }
    }
}

/// `value[key] = new` or `value[key] op= new`
#[inline(never)]
pub(crate) fn set_index<H: Host>(
    env: &mut Env<'_, H>,
    value: &mut Value<H::Object>,
    key: &Value<H::Object>,
    op: Option<BinOp>,
    new: &Value<H::Object>,
) -> Result<(), H> {
    match (&mut *value, key) {
        (Value::Str(text), Value::Int(i)) => {
            let len = text.chars().count();
            let at = operators::offset(*i, len).ok_or_else(|| operators::out_of_range(*i, len))?;
            let mut letter = Value::Char(text.chars().nth(at).expect("within the string"));
            match op {
                Some(op) => operators::update(env, op, &mut letter, new)?,
                None => letter = new.clone(),
            }
            let Value::Char(c) = letter else {
                return Err(raise(
                    FaultKind::Type,
                    "only a character can be stored in a string",
                ));
            };
            let changed = text
                .chars()
                .enumerate()
                .map(|(k, old)| if k == at { c } else { old })
                .collect();
            *text = Shared::new(changed);
            Ok(())
        }
        (Value::Str(text), Value::Range(range)) => {
            let Some((start, end)) = strings::index_span(text, range) else {
                return Err(operators::out_of_range(range.from, text.chars().count()));
            };
            let mut part = operators::index(env, value, key)?;
            match op {
                Some(op) => operators::update(env, op, &mut part, new)?,
                None => part = new.clone(),
            }
            let Value::Str(text) = value else {
                unreachable!("just matched")
            };
            let mut changed: String = text.chars().take(start).collect();
            operators::write_text(env.host, &part, env.limits.string, &mut changed);
            changed.extend(text.chars().skip(end));
            env.string_size(changed.len())?;
            *text = Shared::new(changed);
            Ok(())
        }
        (Value::Handle(..) | Value::Small(..) | Value::Object(_), _) => {
            let changed = match op {
                Some(op) => {
                    let mut old = operators::index(env, value, key)?;
                    operators::update(env, op, &mut old, new)?;
                    old
                }
                None => new.clone(),
            };
            Ok(env.host.set_index(value, key, &changed)?)
        }
        _ => {
            let place = place(env, value, key, op.is_none())?;
            match op {
                Some(op) => operators::update(env, op, place, new)?,
                None => place.put(new.clone()),
            }
            let inner = place.depth();
            env.stored(value, inner)
        }
    }
}

/// Walks from `r[root]` along a path and acts at its end.
#[inline(never)]
pub(crate) fn path<H: Host>(
    env: &mut Env<'_, H>,
    r: &mut Window<H>,
    [d, root, a]: [Reg; 3],
    k: u32,
) -> Result<(), H> {
    let program = env.program;
    let path = &program.paths[k as usize];
    if in_slot(env, r, path, root, a) {
        return Ok(());
    }
    // The root leaves its register, so that the rest of the window can be read on the way.
    let mut value = r[root as usize].take();
    let done = walk(env, r, &mut value, &path.steps, path.action, d, a);
    r[root as usize].put(value);
    done
}

/// `handle.row[i] = r[a]`, `+=` and `-=`: most longer ways are no longer than that, and the host goes them in one step, if it can.
#[inline(always)]
fn in_slot<H: Host>(
    env: &mut Env<'_, H>,
    r: &mut Window<H>,
    path: &Path,
    root: Reg,
    a: Reg,
) -> bool {
    let ([PathStep::Property(p), PathStep::Index(i)], Value::Handle(kind, id)) =
        (&path.steps[..], &r[root as usize])
    else {
        return false;
    };
    let Some(slot) = env.program.properties[*p as usize].slot(*kind) else {
        return false;
    };
    let (index, new) = (&r[*i as usize], &r[a as usize]);
    match (path.action, new) {
        (Action::Set, _) => env.host.set_in_slot(*kind, slot, *id, index, new),
        (Action::Update(BinOp::Add), Value::Int(n)) => {
            env.host.add_in_slot(*kind, slot, *id, index, *n)
        }
        (Action::Update(BinOp::Sub), Value::Int(n)) if *n != i64::MIN => {
            env.host.add_in_slot(*kind, slot, *id, index, -*n)
        }
        _ => false,
    }
}

fn walk<H: Host>(
    env: &mut Env<'_, H>,
    r: &mut Window<H>,
    value: &mut Value<H::Object>,
    steps: &[PathStep],
    action: Action,
    d: Reg,
    a: Reg,
) -> Result<(), H> {
    let Some((step, rest)) = steps.split_first() else {
        return act(env, r, value, action, d, a);
    };
    env.charge_items(value.copied())?;
    let last = rest.is_empty();
    if value.is_host() {
        return walk_host(env, r, value, steps, action, d, a);
    }
    match *step {
        PathStep::Property(p) => {
            let program = env.program;
            let name = &program.properties[p as usize].name;
            let Value::Map(map) = value else {
                return Err(no_property(env, value, name));
            };
            if map.get_known(name).is_none() {
                if !(last && matches!(action, Action::Set | Action::Put)) {
                    return Err(operators::no_key(env, name, map));
                }
                env.map_size(map.len() + 1)?;
                own_map(map).insert(name.clone(), Value::Unit);
            }
            let place = own_map(map).get_known_mut(name).expect("just asked");
            let done = walk(env, r, place, rest, action, d, a);
            let inner = place.depth();
            env.stored(value, inner)?;
            done
        }
        PathStep::Index(i) => {
            let key = r[i as usize].clone();
            if last && matches!(value, Value::Str(_)) {
                return match action {
                    Action::Set => {
                        let new = r[a as usize].clone();
                        set_index(env, value, &key, None, &new)
                    }
                    Action::Update(op) => {
                        let new = r[a as usize].clone();
                        set_index(env, value, &key, Some(op), &new)
                    }
                    Action::Change { .. } => {
                        let mut letter = operators::index(env, value, &key)?;
                        act(env, r, &mut letter, action, d, a)?;
                        set_index(env, value, &key, None, &letter)
                    }
                    Action::Take => {
                        let mut letter = operators::index(env, value, &key)?;
                        act(env, r, &mut letter, action, d, a)
                    }
                    // As in Rhai, what a method makes of `this` does not go back into a text.
                    Action::Put => Ok(()),
                };
            }
            let grow = last && matches!(action, Action::Set | Action::Put);
            let place = place(env, value, &key, grow)?;
            let done = walk(env, r, place, rest, action, d, a);
            let inner = place.depth();
            env.stored(value, inner)?;
            done
        }
    }
}

fn act<H: Host>(
    env: &mut Env<'_, H>,
    r: &mut Window<H>,
    place: &mut Value<H::Object>,
    action: Action,
    d: Reg,
    a: Reg,
) -> Result<(), H> {
    match action {
        Action::Set => place.put(r[a as usize].clone()),
        Action::Put => place.put(r[a as usize].take()),
        Action::Take => r[d as usize].put(place.take()),
        Action::Update(op) => operators::update(env, op, place, &r[a as usize])?,
        Action::Change { f, n } => {
            let row = &mut r[a as usize..a as usize + n as usize];
            let result = env.change(f, place, row);
            row.iter_mut().for_each(|v| v.put(Value::Unit));
            r[d as usize].put(result?);
        }
    }
    Ok(())
}

/// From a host value on, members are read through the host. What it hands out is a copy, so a change goes back through it.
fn walk_host<H: Host>(
    env: &mut Env<'_, H>,
    r: &mut Window<H>,
    value: &Value<H::Object>,
    steps: &[PathStep],
    action: Action,
    d: Reg,
    a: Reg,
) -> Result<(), H> {
    let (step, rest) = steps.split_first().expect("a path has steps");
    match action {
        Action::Set if rest.is_empty() => return write_step(env, r, value, *step, None, a),
        Action::Update(op) if rest.is_empty() => {
            return write_step(env, r, value, *step, Some(op), a);
        }
        _ => {}
    }
    let mut copy = read_step(env, r, value.clone(), *step)?;
    if copy.is_host() && !rest.is_empty() {
        return walk_host(env, r, &copy, rest, action, d, a);
    }
    let before = copy.clone();
    walk(env, r, &mut copy, rest, action, d, a)?;
    let same = match action {
        Action::Take => true,
        // A method that only looked at `this` leaves it as it was.
        Action::Put => env.equal(&before, &copy)?,
        _ => false,
    };
    if same {
        return Ok(());
    }
    r[SCRATCH_KEY as usize].put(copy);
    let done = write_step(env, r, value, *step, None, SCRATCH_KEY);
    r[SCRATCH_KEY as usize].put(Value::Unit);
    done
}

/// Sets or updates one member of a host value.
fn write_step<H: Host>(
    env: &mut Env<'_, H>,
    r: &mut Window<H>,
    value: &Value<H::Object>,
    step: PathStep,
    op: Option<BinOp>,
    a: Reg,
) -> Result<(), H> {
    match step {
        PathStep::Property(p) => {
            r[SCRATCH as usize].put(value.clone());
            let done = match op {
                None => set(env, r, SCRATCH, a, p),
                Some(op) => update(env, r, op, SCRATCH, a, p),
            };
            r[SCRATCH as usize].put(Value::Unit);
            done
        }
        PathStep::Index(i) => {
            let (key, new) = (r[i as usize].clone(), r[a as usize].clone());
            set_index(env, &mut value.clone(), &key, op, &new)
        }
    }
}

fn read_step<H: Host>(
    env: &mut Env<'_, H>,
    r: &mut Window<H>,
    value: Value<H::Object>,
    step: PathStep,
) -> Result<Value<H::Object>, H> {
    match step {
        PathStep::Index(i) => operators::index(env, &value, &r[i as usize]),
        PathStep::Property(p) => {
            r[SCRATCH as usize].put(value);
            let flow = get(env, r, SCRATCH_KEY, SCRATCH, p);
            r[SCRATCH as usize].put(Value::Unit);
            match flow? {
                Flow::Done => Ok(r[SCRATCH_KEY as usize].take()),
                Flow::Suspend => Err(must_not_suspend()),
            }
        }
    }
}
