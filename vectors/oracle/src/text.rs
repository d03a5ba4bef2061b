//! Hexadecimal, base58 and SHA-256 of number lists.

use sha2::{Digest, Sha256};

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

pub fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2)
        .map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("hexadecimal"))
        .collect()
}

const ALPHABET: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

pub fn base58(bytes: &[u8]) -> String {
    let mut digits: Vec<u8> = Vec::new(); // base 58, least significant first
    for &byte in bytes {
        let mut carry = u32::from(byte);
        for d in &mut digits {
            carry += u32::from(*d) << 8;
            *d = (carry % 58) as u8;
            carry /= 58;
        }
        while carry > 0 {
            digits.push((carry % 58) as u8);
            carry /= 58;
        }
    }
    let zeros = bytes.iter().take_while(|b| **b == 0).count();
    let ones = std::iter::repeat('1').take(zeros);
    let rest = digits.iter().rev().map(|&d| ALPHABET[d as usize] as char);
    ones.chain(rest).collect()
}

/// The 32-byte key of a base58 address.
pub fn key(address: &str) -> [u8; 32] {
    let mut bytes: Vec<u8> = Vec::new(); // least significant first
    for c in address.bytes() {
        let digit = ALPHABET.iter().position(|&a| a == c).expect("base58 digit");
        let mut carry = digit as u32;
        for b in &mut bytes {
            carry += u32::from(*b) * 58;
            *b = carry as u8;
            carry >>= 8;
        }
        while carry > 0 {
            bytes.push(carry as u8);
            carry >>= 8;
        }
    }
    let ones = address.bytes().take_while(|&c| c == b'1').count();
    bytes.resize(bytes.len() + ones, 0);
    bytes.reverse();
    bytes.try_into().expect("32 bytes")
}

/// SHA-256 over the parts, one after the other.
pub fn sha256<T: AsRef<[u8]>>(parts: impl IntoIterator<Item = T>) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.as_ref());
    }
    hash.finalize().into()
}

/// SHA-256 over numbers as 8 little-endian bytes each, in hexadecimal.
pub fn sha256_numbers(numbers: impl IntoIterator<Item = u64>) -> String {
    hex(&sha256(numbers.into_iter().map(u64::to_le_bytes)))
}
