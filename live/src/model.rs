//! Models on loopback that play a list of tool calls, one in each turn, and note what came of them.
#![expect(
    clippy::indexing_slicing,
    reason = "a JSON value gives null for what it does not hold"
)]

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use crate::Result;
use crate::http::{self, Request, Response};

/// How often a call is played before it counts as never answered.
const ATTEMPTS: usize = 2;

/// One tool call to play.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) tool: &'static str,
    pub(crate) arguments: Value,
    attempts: usize,
    result: Option<String>,
}

impl Call {
    pub(crate) fn new(tool: &'static str, arguments: Value) -> Self {
        Self {
            tool,
            arguments,
            attempts: 0,
            result: None,
        }
    }
}

/// The protocol that an agent speaks with its model.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Dialect {
    /// Chat completions, as most providers offer them.
    Chat,
    /// Anthropic's Messages.
    Messages,
    /// Google's `generateContent`.
    Gemini,
    /// OpenAI's Responses. A call whose arguments are a text is of a tool that takes just that.
    Responses,
}

/// A model that is being asked.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    calls: Arc<Mutex<Vec<Call>>>,
}

impl Model {
    /// A model at a port of loopback.
    pub(crate) fn serve(dialect: Dialect, port: u16, calls: Vec<Call>) -> Result<Self> {
        let model = Self {
            calls: Arc::new(Mutex::new(calls)),
        };
        let other = model.clone();
        http::serve(&format!("127.0.0.1:{port}"), move |request| {
            other.answer(dialect, request)
        })?;
        Ok(model)
    }

    /// What came of each call, in their order; `None` where nothing did.
    pub(crate) fn results(&self) -> Vec<Option<String>> {
        self.calls()
            .iter()
            .map(|call| call.result.clone())
            .collect()
    }

    /// How many calls have still to be played.
    pub(crate) fn left(&self) -> usize {
        let calls = self.calls();
        calls
            .iter()
            .filter(|call| call.result.is_none() && call.attempts < ATTEMPTS)
            .count()
    }

    /// Takes what a session said at its end for the result of the call it ended with, if it ended
    /// with one.
    pub(crate) fn ended(&self, said: &str) {
        let mut calls = self.calls();
        let open = calls
            .iter_mut()
            .filter(|call| call.result.is_none() && call.attempts > 0);
        for call in open {
            call.result = Some(format!("{ENDED} {said}"));
        }
    }

    fn calls(&self) -> MutexGuard<'_, Vec<Call>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, dialect: Dialect, request: &Request) -> Response {
        if request.method != "POST" {
            return Response::json(&json!({"object": "list", "data": [], "models": []}));
        }
        let body: Value = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
        match dialect {
            Dialect::Chat => self.chat(&body),
            Dialect::Messages if request.path.contains("count_tokens") => {
                Response::json(&json!({"input_tokens": 1}))
            }
            Dialect::Messages if request.path.contains("/messages") => self.messages(&body),
            Dialect::Messages => Response::not_found(),
            Dialect::Gemini if request.path.contains("countTokens") => {
                Response::json(&json!({"totalTokens": 1}))
            }
            Dialect::Gemini => self.gemini(&body, request.path.contains("stream")),
            Dialect::Responses => self.responses(&body),
        }
    }

    fn note(&self, id: &str, result: String) {
        let number = id
            .strip_prefix("call_")
            .and_then(|id| id.parse::<usize>().ok());
        let mut calls = self.calls();
        if let Some(call) = number.and_then(|number| calls.get_mut(number)) {
            call.result.get_or_insert(result);
        }
    }

    /// The next call to play, given the tools on offer.
    fn next(&self, tools: &BTreeSet<&str>) -> Option<(String, &'static str, Value)> {
        // Side conversations, about a title or a route, come without tools.
        if tools.is_empty() {
            return None;
        }
        for (number, call) in self.calls().iter_mut().enumerate() {
            if call.result.is_some() || call.attempts >= ATTEMPTS {
                continue;
            }
            if !tools.contains(call.tool) {
                call.result = Some(NOT_OFFERED.to_owned());
                continue;
            }
            call.attempts = call.attempts.saturating_add(1);
            return Some((format!("call_{number}"), call.tool, call.arguments.clone()));
        }
        None
    }

    fn chat(&self, body: &Value) -> Response {
        for message in items(body, "messages") {
            if message["role"] == "tool" {
                self.note(text(&message["tool_call_id"]), flatten(&message["content"]));
            }
        }
        let tools = items(body, "tools")
            .map(|tool| text(&tool["function"]["name"]))
            .collect();
        let (message, reason) = match self.next(&tools) {
            Some((id, name, arguments)) => {
                let function = json!({"name": name, "arguments": arguments.to_string()});
                let call = json!({"index": 0, "id": id, "type": "function", "function": function});
                (
                    json!({"role": "assistant", "content": null, "tool_calls": [call]}),
                    "tool_calls",
                )
            }
            None => (json!({"role": "assistant", "content": "done"}), "stop"),
        };
        let usage = json!({"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2});
        let answer = |kind: &str, choice: Value| {
            json!({
                "id": "live", "object": kind, "created": 0, "model": "fake",
                "choices": [choice], "usage": usage,
            })
        };
        if body["stream"] != true {
            let choice = json!({"index": 0, "message": message, "finish_reason": reason});
            return Response::json(&answer("chat.completion", choice));
        }
        let part = |delta: Value, reason: Value| {
            let choice = json!({"index": 0, "delta": delta, "finish_reason": reason});
            answer("chat.completion.chunk", choice)
        };
        events(
            [part(message, Value::Null), part(json!({}), json!(reason))]
                .map(|event| (None, event.to_string()))
                .into_iter()
                .chain([(None, "[DONE]".to_owned())]),
        )
    }

    fn messages(&self, body: &Value) -> Response {
        for message in items(body, "messages") {
            for part in items(message, "content") {
                if part["type"] == "tool_result" {
                    self.note(text(&part["tool_use_id"]), flatten(&part["content"]));
                }
            }
        }
        let tools = items(body, "tools")
            .map(|tool| text(&tool["name"]))
            .collect();
        let (mut block, delta, reason) = match self.next(&tools) {
            Some((id, name, arguments)) => (
                json!({"type": "tool_use", "id": id, "name": name, "input": arguments}),
                json!({"type": "input_json_delta", "partial_json": arguments.to_string()}),
                "tool_use",
            ),
            None => (
                json!({"type": "text", "text": "done"}),
                json!({"type": "text_delta", "text": "done"}),
                "end_turn",
            ),
        };
        let usage = json!({"input_tokens": 1, "output_tokens": 1});
        let mut message = json!({
            "id": "live", "type": "message", "role": "assistant", "model": body["model"],
            "content": [block], "stop_reason": reason, "stop_sequence": null, "usage": usage,
        });
        if body["stream"] != true {
            return Response::json(&message);
        }
        message["content"] = json!([]);
        message["stop_reason"] = Value::Null;
        match reason {
            "tool_use" => block["input"] = json!({}),
            _ => block["text"] = json!(""),
        }
        let stop = json!({"stop_reason": reason, "stop_sequence": null});
        let parts = [
            json!({"type": "message_start", "message": message}),
            json!({"type": "content_block_start", "index": 0, "content_block": block}),
            json!({"type": "content_block_delta", "index": 0, "delta": delta}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "delta": stop, "usage": {"output_tokens": 1}}),
            json!({"type": "message_stop"}),
        ];
        events(parts.map(|part| (part["type"].as_str().map(str::to_owned), part.to_string())))
    }

    fn responses(&self, body: &Value) -> Response {
        for item in items(body, "input") {
            if text(&item["type"]).ends_with("_output") {
                self.note(text(&item["call_id"]), flatten(&item["output"]));
            }
        }
        let tools = items(body, "tools")
            .map(|tool| text(&tool["name"]))
            .collect();
        let item = match self.next(&tools) {
            Some((id, name, Value::String(input))) => json!({
                "type": "custom_tool_call", "id": id, "call_id": id, "name": name, "input": input,
            }),
            Some((id, name, arguments)) => json!({
                "type": "function_call", "id": id, "call_id": id, "name": name,
                "arguments": arguments.to_string(),
            }),
            None => json!({
                "type": "message", "role": "assistant", "id": "live",
                "content": [{"type": "output_text", "text": "done"}],
            }),
        };
        let usage = json!({
            "input_tokens": 1, "input_tokens_details": null,
            "output_tokens": 1, "output_tokens_details": null, "total_tokens": 2,
        });
        let parts = [
            json!({"type": "response.created", "response": {"id": "live"}}),
            json!({"type": "response.output_item.done", "item": item}),
            json!({"type": "response.completed", "response": {"id": "live", "usage": usage}}),
        ];
        events(parts.map(|part| (part["type"].as_str().map(str::to_owned), part.to_string())))
    }

    fn gemini(&self, body: &Value, stream: bool) -> Response {
        for content in items(body, "contents") {
            for part in items(content, "parts") {
                let response = &part["functionResponse"];
                if response.is_object() {
                    self.note(text(&response["id"]), flatten(&response["response"]));
                }
            }
        }
        let tools: BTreeSet<&str> = items(body, "tools")
            .flat_map(|tool| items(tool, "functionDeclarations"))
            .map(|tool| text(&tool["name"]))
            .collect();
        let part = match self.next(&tools) {
            Some((id, name, arguments)) => {
                json!({"functionCall": {"id": id, "name": name, "args": arguments}})
            }
            // Side conversations want their answer in an object.
            None if body["generationConfig"]["responseMimeType"] == "application/json" => {
                let choice =
                    json!({"reasoning": "", "model_choice": "flash", "complexity_score": 1});
                json!({"text": choice.to_string()})
            }
            None => json!({"text": "done"}),
        };
        let answer = json!({
            "candidates": [{
                "content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0,
            }],
            "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
            "modelVersion": "fake",
        });
        if stream {
            return events([(None, answer.to_string())]);
        }
        Response::json(&answer)
    }
}

/// The result of a call whose tool the agent did not offer.
pub(crate) const NOT_OFFERED: &str = "(the tool is not offered)";

/// Before what a session said that ended with a call instead of answering it.
pub(crate) const ENDED: &str = "(the session ended)";

fn items<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    value[key].as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// All the text in a result, whatever its shape.
fn flatten(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(flatten).collect::<Vec<_>>().join("\n"),
        Value::Object(fields) => fields.values().map(flatten).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    }
}

fn events(events: impl IntoIterator<Item = (Option<String>, String)>) -> Response {
    let mut body = String::new();
    for (name, data) in events {
        if let Some(name) = name {
            body.push_str(&format!("event: {name}\n"));
        }
        body.push_str(&format!("data: {data}\n\n"));
    }
    Response {
        status: 200,
        content_type: "text/event-stream",
        body: body.into_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(calls: &[&'static str]) -> Model {
        let calls = calls.iter().map(|tool| Call::new(tool, json!({"x": 1})));
        Model {
            calls: Arc::new(Mutex::new(calls.collect())),
        }
    }

    fn post(path: &str, body: &Value) -> Request {
        Request {
            method: "POST".to_owned(),
            path: path.to_owned(),
            body: body.to_string().into_bytes(),
        }
    }

    #[test]
    fn a_call_is_played_and_its_result_is_noted_in_every_dialect() {
        let chat = json!({"tools": [{"function": {"name": "t"}}], "messages": []});
        let messages = json!({"tools": [{"name": "t"}], "messages": []});
        let gemini = json!({"tools": [{"functionDeclarations": [{"name": "t"}]}], "contents": []});
        let result = json!({"role": "tool", "tool_call_id": "call_0", "content": "r"});
        let block =
            json!({"type": "tool_result", "tool_use_id": "call_0", "content": [{"text": "r"}]});
        let part = json!({"functionResponse": {"id": "call_0", "response": {"output": "r"}}});
        for (dialect, path, mut body, list, answer) in [
            (
                Dialect::Chat,
                "/v1/chat/completions",
                chat,
                "messages",
                result,
            ),
            (
                Dialect::Messages,
                "/v1/messages",
                messages,
                "messages",
                json!({"content": [block]}),
            ),
            (
                Dialect::Gemini,
                "/x:generateContent",
                gemini,
                "contents",
                json!({"parts": [part]}),
            ),
        ] {
            let model = model(&["t"]);
            let played = model.answer(dialect, &post(path, &body));
            assert!(
                String::from_utf8_lossy(&played.body).contains("call_0"),
                "{dialect:?}"
            );
            assert_eq!(model.results(), [None], "{dialect:?}");
            body[list] = json!([answer]);
            let done = model.answer(dialect, &post(path, &body));
            assert!(
                String::from_utf8_lossy(&done.body).contains("done"),
                "{dialect:?}"
            );
            assert_eq!(model.results(), [Some("r".to_owned())], "{dialect:?}");
        }
    }

    #[test]
    fn a_call_of_a_tool_that_is_not_offered_is_not_played() {
        let model = model(&["missing", "t"]);
        let next = model.next(&BTreeSet::from(["t"])).expect("a call");
        assert_eq!(next.0, "call_1");
        assert_eq!(model.results()[0].as_deref(), Some(NOT_OFFERED));
    }

    #[test]
    fn a_call_that_gets_no_result_is_not_played_for_ever() {
        let model = model(&["t"]);
        let tools = BTreeSet::from(["t"]);
        for _ in 0..ATTEMPTS {
            assert!(model.next(&tools).is_some());
        }
        assert_eq!((model.next(&tools), model.left()), (None, 0));
        model.ended("why");
        assert_eq!(model.results(), [Some(format!("{ENDED} why"))]);
    }

    #[test]
    fn a_side_conversation_plays_nothing() {
        assert_eq!(model(&["t"]).next(&BTreeSet::new()), None);
    }
}
