//! What no rendering may ever hold: a value that switches a sandbox off, runs commands unasked, or
//! opens a door that the policy does not mention.

#[cfg(test)]
pub mod world;

#[cfg(test)]
mod never {
    use harness_render::{Hardening, Rendering, render};
    use proptest::prelude::*;
    use proptest::sample::select;
    use serde_json::{Value, json};

    use crate::world;

    /// Keys that loosen whatever their value.
    const KEYS: &[&str] = &[
        "additionalDirectories",
        "allowRead",
        "allow_login_shell",
        "approvalMode",
        "autoAllowBashIfSandboxed",
        "bwrapPath",
        "clearPolicyOnExit",
        "defaultMode",
        "enabledPlatforms",
        "excludedCommands",
        "header_injections",
        "httpProxyPort",
        "sandboxAllowedPaths",
        "sandboxNetworkAccess",
        "sandbox_mode",
        "skipWebFetchPreflight",
        "socatPath",
        "socksProxyPort",
        "allowUnixSockets",
        "allow_unix_sockets",
        "unix_sockets",
    ];

    /// Values that loosen wherever they stand.
    const VALUES: &[&str] = &[
        "allow_all",
        "auto",
        "bypassPermissions",
        "danger-full-access",
        "dontAsk",
        "full-access",
        "insecure_none",
        "never",
        "on-failure",
        "unrestricted",
        "yolo",
    ];

    /// Keys with the one value that they may have.
    const ONLY: &[(&str, bool)] = &[
        ("allowAllUnixSockets", false),
        ("allowAppleEvents", false),
        ("allowBypass", false),
        ("allowDevToolAccess", false),
        ("allowLocalBinding", false),
        ("allowLocalNetwork", false),
        ("allowMachLookup", false),
        ("allowManagedDomainsOnly", true),
        ("allowManagedHooksOnly", true),
        ("allowManagedMcpServersOnly", true),
        ("allowManagedPermissionRulesOnly", true),
        ("allowManagedReadPathsOnly", true),
        ("allowNestedUserNamespaces", false),
        ("allowUnsandboxedCommands", false),
        ("allow_local_binding", false),
        ("allow_managed_hooks_only", true),
        ("allow_upstream_proxy", false),
        ("dangerously_allow_all_unix_sockets", false),
        ("dangerously_allow_non_loopback_proxy", false),
        ("disableYoloMode", true),
        ("disabled", false),
        ("enableWeakerNestedSandbox", false),
        ("enableWeakerNetworkIsolation", false),
        ("enabled", true),
        ("failIfUnavailable", true),
        ("managed_allowed_domains_only", true),
        ("network_access", false),
        ("sandboxLspServers", true),
        ("sandboxMcpServers", true),
        ("strictAllowlist", true),
        ("toolSandboxing", true),
    ];

    /// Lists that mean "everything" when they are empty.
    const NEVER_EMPTY: &[&str] = &["allowedHosts", "deny_read", "allowed_sandbox_modes"];

    fn check(path: &str, key: &str, value: &Value) {
        let place = format!("{path}.{key} = {value}");
        assert!(!KEYS.contains(&key), "{place}");
        if let Some((_, only)) = ONLY.iter().find(|(name, _)| *name == key) {
            assert_eq!(value, &json!(only), "{place}");
        }
        if NEVER_EMPTY.contains(&key) {
            assert_ne!(value, &json!([]), "{place}");
        }
        // Rules that grant a tool without asking.
        let grants = path.ends_with("permissions") && (key == "allow" || key == "ask");
        assert!(!grants, "{place}");
        match value {
            Value::String(text) => assert!(!VALUES.contains(&text.as_str()), "{place}"),
            Value::Array(items) => {
                for item in items {
                    check(&format!("{path}.{key}"), "", item);
                }
            }
            Value::Object(map) => {
                for (inner, value) in map {
                    check(&format!("{path}.{key}"), inner, value);
                }
            }
            _ => {}
        }
    }

    fn check_rendering(rendering: &Rendering) {
        for file in rendering.files() {
            let text = core::str::from_utf8(file.bytes()).unwrap();
            let value: Value = if file.path().ends_with(".toml") {
                toml::from_str(text).unwrap()
            } else {
                serde_json::from_str(text).unwrap()
            };
            check("", "", &value);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_rendering_loosens_anything(
            policy in world::policies(),
            target in select(world::targets()),
            strict in any::<bool>(),
        ) {
            let hardening = if strict { Hardening::Strict } else { Hardening::Standard };
            if let Ok(rendering) = render(&policy, &target, hardening) {
                check_rendering(&rendering);
            }
        }
    }

    #[test]
    #[should_panic(expected = "sandbox.enabled")]
    fn a_sandbox_that_is_switched_off_is_found() {
        check("", "", &json!({"sandbox": {"enabled": false}}));
    }

    #[test]
    #[should_panic(expected = "danger-full-access")]
    fn a_mode_without_a_sandbox_is_found() {
        check(
            "",
            "",
            &json!({"allowed_sandbox_modes": ["danger-full-access"]}),
        );
    }
}
