// Package text has what the text forms of stake lists, stakes/csv and
// stakes/json, share: the names that columns go by, whole numbers of lamports,
// and the line of JSON that says where a list comes from.
package text
