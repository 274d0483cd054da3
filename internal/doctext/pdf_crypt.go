package doctext

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
)

// pdfCrypt decrypts the streams of a document that needs no password to be
// opened (ISO 32000-2, 7.6, the standard security handler).
type pdfCrypt struct {
	key     []byte
	method  string // "RC4", "AES" (128 bits) or "AES256"
	streams bool   // false when streams are not encrypted
}

const (
	errPassword  = refusal("is a PDF that is protected by a password; ask the user for it, and remove it with a command such as `qpdf --decrypt --password=… FILE OUT`")
	errEncrypted = refusal("is a PDF that is encrypted in a way that is not known here; try a command such as `pdftotext -layout FILE -`")
)

// decrypt makes the document's crypt, if it is encrypted.
func (f *pdfFile) decrypt() error {
	d := f.dict(f.trailer["Encrypt"])
	if d == nil {
		return nil
	}
	if f.name(d["Filter"]) != "Standard" {
		return errEncrypted
	}
	c := &pdfCrypt{method: "RC4", streams: true}
	version, _ := f.number(d["V"])
	bits, ok := f.number(d["Length"])
	if !ok || version == 1 {
		bits = 40
	}
	if version >= 4 {
		bits = 128
		method := f.dict(f.dict(d["CF"])[pdfName(f.name(d["StmF"]))])["CFM"]
		switch f.name(method) {
		case "V2":
		case "AESV2":
			c.method = "AES"
		case "AESV3":
			c.method = "AES256"
		default:
			c.streams = false
		}
	}
	if bits < 40 || bits > 128 || version > 5 {
		return errEncrypted
	}
	f.crypt = c
	if version == 5 {
		return c.newKey(f, d)
	}
	return c.oldKey(f, d, int(bits)/8)
}

func (f *pdfFile) bytes(o any) []byte {
	s, _ := f.resolve(o).(pdfString)
	return []byte(s)
}

// padding stands for a password (ISO 32000-1, 7.6.3.3).
const padding = "\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A"

// oldKey makes the key for the empty password, and sees whether it is right
// (algorithms 2, 4 and 5).
func (c *pdfCrypt) oldKey(f *pdfFile, d pdfDict, length int) error {
	revision, _ := f.number(d["R"])
	permissions, _ := f.number(d["P"])
	var id []byte
	if ids := f.array(f.trailer["ID"]); len(ids) > 0 {
		id = f.bytes(ids[0])
	}
	owner, user := f.bytes(d["O"]), f.bytes(d["U"])
	if len(owner) < 32 || len(user) < 32 {
		return damaged("its encryption is not complete")
	}
	h := md5.New()
	h.Write([]byte(padding))
	h.Write(owner[:32])
	h.Write(binary.LittleEndian.AppendUint32(nil, uint32(int64(permissions))))
	h.Write(id)
	if meta, ok := f.resolve(d["EncryptMetadata"]).(bool); ok && !meta && revision >= 4 {
		h.Write([]byte{0xff, 0xff, 0xff, 0xff})
	}
	key := h.Sum(nil)
	if revision >= 3 {
		for range 50 {
			sum := md5.Sum(key[:length])
			key = sum[:]
		}
	} else {
		length = 5
	}
	c.key = key[:length]

	if revision < 3 {
		if !bytes.Equal(rc4With(c.key, []byte(padding)), user[:32]) {
			return errPassword
		}
		return nil
	}
	sum := md5.Sum(append([]byte(padding), id...))
	check := sum[:]
	for i := range byte(20) {
		k := bytes.Clone(c.key)
		for j := range k {
			k[j] ^= i
		}
		check = rc4With(k, check)
	}
	if !bytes.Equal(check, user[:16]) {
		return errPassword
	}
	return nil
}

// newKey is the same for keys of 256 bits (algorithm 2.A).
func (c *pdfCrypt) newKey(f *pdfFile, d pdfDict) error {
	revision, _ := f.number(d["R"])
	user, wrapped := f.bytes(d["U"]), f.bytes(d["UE"])
	if len(user) < 48 || len(wrapped) < 32 {
		return damaged("its encryption is not complete")
	}
	hash := hash2B
	if revision == 5 {
		hash = func(salt []byte) []byte { sum := sha256.Sum256(salt); return sum[:] }
	}
	if !bytes.Equal(hash(user[32:40]), user[:32]) {
		return errPassword
	}
	block, err := aes.NewCipher(hash(user[40:48]))
	if err != nil {
		return err
	}
	c.key = make([]byte, 32)
	cipher.NewCBCDecrypter(block, make([]byte, 16)).CryptBlocks(c.key, wrapped[:32])
	return nil
}

// hash2B is algorithm 2.B of ISO 32000-2 for the empty password.
func hash2B(salt []byte) []byte {
	first := sha256.Sum256(salt)
	k := first[:]
	for round := 0; ; round++ {
		e := bytes.Repeat(k, 64)
		block, err := aes.NewCipher(k[:16])
		if err != nil {
			return nil
		}
		cipher.NewCBCEncrypter(block, k[16:32]).CryptBlocks(e, e)
		mod := 0
		for _, b := range e[:16] {
			mod += int(b)
		}
		switch mod % 3 {
		case 0:
			sum := sha256.Sum256(e)
			k = sum[:]
		case 1:
			sum := sha512.Sum384(e)
			k = sum[:]
		case 2:
			sum := sha512.Sum512(e)
			k = sum[:]
		}
		if round >= 63 && int(e[len(e)-1]) <= round-32 {
			return k[:32]
		}
	}
}

func rc4With(key, data []byte) []byte {
	out := make([]byte, len(data))
	c, err := rc4.NewCipher(key)
	if err != nil {
		return out
	}
	c.XORKeyStream(out, data)
	return out
}

// stream decrypts the bytes of a stream, unless it says that it is not
// encrypted (algorithms 1 and 1.A).
func (c *pdfCrypt) stream(f *pdfFile, s *pdfStream, filters pdfArray) []byte {
	if !c.streams || s.dict["Type"] == pdfName("XRef") || len(filters) > 0 && f.name(filters[0]) == "Crypt" {
		return s.raw
	}
	key := c.key
	if c.method != "AES256" {
		h := md5.New()
		h.Write(key)
		n, g := s.number, s.generation
		h.Write([]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(g), byte(g >> 8)})
		if c.method == "AES" {
			h.Write([]byte("sAlT"))
		}
		key = h.Sum(nil)[:min(len(c.key)+5, 16)]
	}
	if c.method == "RC4" {
		return rc4With(key, s.raw)
	}
	block, err := aes.NewCipher(key)
	n := len(s.raw) / 16 * 16
	if err != nil || n < 32 {
		return nil
	}
	out := make([]byte, n-16)
	cipher.NewCBCDecrypter(block, s.raw[:16]).CryptBlocks(out, s.raw[16:n])
	if pad := int(out[len(out)-1]); pad <= 16 && pad <= len(out) {
		out = out[:len(out)-pad]
	}
	return out
}
