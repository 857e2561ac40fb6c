//! A host that offers nothing: for scripts that only compute.

use crate::host::*;
use crate::value::{HandleKind, Value};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Scripts on this host have the language and its library, nothing else.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NoHost;

/// There are no host values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoObject {}

impl HostObject for NoObject {
    fn kind(&self) -> HandleKind {
        match *self {}
    }
}

fn nothing<T>() -> Result<T, HostError> {
    Err(HostError::new("this host has no values of its own"))
}

impl Host for NoHost {
    type Object = NoObject;

    fn slot(&self, _: HandleKind, _: u16, _: u32) -> Value<NoObject> {
        Value::Unit
    }
    fn set_slot(
        &mut self,
        _: HandleKind,
        _: u16,
        _: u32,
        _: &Value<NoObject>,
    ) -> Result<(), HostError> {
        nothing()
    }
    fn add_slot(&mut self, _: HandleKind, _: u16, _: u32, _: i64) -> Result<(), HostError> {
        nothing()
    }
    fn len(&self, _: &Value<NoObject>) -> Option<i64> {
        None
    }
    fn nth(&self, _: &Value<NoObject>, _: i64) -> Option<Value<NoObject>> {
        None
    }
    fn next(&self, _: &Value<NoObject>, _: i64) -> Option<(Value<NoObject>, i64)> {
        None
    }
    fn contains(&self, _: &Value<NoObject>, _: &Value<NoObject>) -> Option<bool> {
        None
    }
    fn equal(&self, _: &Value<NoObject>, _: &Value<NoObject>) -> bool {
        false
    }
    fn compare(&self, _: &Value<NoObject>, _: &Value<NoObject>) -> Option<Ordering> {
        None
    }
    fn binary(
        &mut self,
        _: BinaryOp,
        _: &Value<NoObject>,
        _: &Value<NoObject>,
    ) -> Option<Value<NoObject>> {
        None
    }
    fn display(&self, _: &Value<NoObject>) -> String {
        String::new()
    }
    fn index(
        &self,
        _: &Value<NoObject>,
        _: &Value<NoObject>,
    ) -> Result<Value<NoObject>, HostError> {
        nothing()
    }
    fn set_index(
        &mut self,
        _: &Value<NoObject>,
        _: &Value<NoObject>,
        _: &Value<NoObject>,
    ) -> Result<(), HostError> {
        nothing()
    }
    fn name(&self, _: Domain, _: &str) -> Result<Value<NoObject>, HostError> {
        nothing()
    }
    fn print(&mut self, _: &str) {}
}
