package protocol

import "context"

// Account names who is asked with a key: a provider at the host of a base URL.
type Account struct {
	Provider string `json:"provider"`
	// BaseURL is "" for the provider's own.
	BaseURL string `json:"baseUrl,omitempty"`
}

// AccountLoginParams hands over a key.
type AccountLoginParams struct {
	Account
	Secret string `json:"secret"`
	// Persist keeps it in the system's keyring, or a file of this user's where
	// there is none. Without it the process remembers it and nobody else, for
	// editors that keep secrets themselves. Default: true.
	Persist *bool `json:"persist,omitempty"`
}

// AccountLogoutParams forgets a key.
type AccountLogoutParams struct {
	Account
	// Persist false forgets what this process alone remembers, and leaves what is
	// kept for it in the keyring or the file. Default: true, forget both.
	Persist *bool `json:"persist,omitempty"`
}

// AccountStatusResult tells which keys are known, never what they are.
type AccountStatusResult struct {
	Accounts []AccountStatus `json:"accounts"`
}

// AccountStatus is one of the accounts that the settings use now.
type AccountStatus struct {
	Account
	// Where the key is: "keyring", "file", "memory", the name of an environment
	// variable, or "" when there is none.
	Where string `json:"where,omitempty"`
	// Needed is true when the endpoint wants a key and there is none.
	Needed bool `json:"needed,omitempty"`
	// Hint tells the user what to do next.
	Hint string `json:"hint,omitempty"`
}

// account is the part of Server about keys.
type account interface {
	AccountLogin(ctx context.Context, p *AccountLoginParams) (*AccountStatusResult, error)
	AccountLogout(ctx context.Context, p *AccountLogoutParams) (*AccountStatusResult, error)
	AccountStatus(ctx context.Context, p *Empty) (*AccountStatusResult, error)
}
