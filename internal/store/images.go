package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"clined/internal/transcript"
)

// packed is a message as its row holds it: the data of its images are files,
// named in the order of their places.
type packed struct {
	transcript.Message
	Images []string `json:"images,omitempty"`
}

// pack writes the message's images to files and returns the body of its row.
func (t *Task) pack(m transcript.Message) (string, error) {
	p := packed{Message: m}
	p.Parts = append([]transcript.Part(nil), m.Parts...)
	wrote := false
	take := func(image transcript.Image) (transcript.Image, error) {
		name, fresh, err := t.keepImage(image.Data)
		wrote = wrote || fresh
		p.Images = append(p.Images, name)
		image.Data = nil
		return image, err
	}
	if err := eachImage(p.Parts, take); err != nil {
		return "", err
	}
	if wrote {
		if err := errors.Join(syncDir(t.imageDir()), syncDir(t.dir), syncDir(filepath.Dir(t.dir))); err != nil {
			return "", err
		}
	}
	return encode(p)
}

// eachImage replaces each image of the parts by what change returns, without
// touching what the parts point to.
func eachImage(parts []transcript.Part, change func(transcript.Image) (transcript.Image, error)) error {
	for i := range parts {
		if p := &parts[i]; p.Image != nil {
			image, err := change(*p.Image)
			if err != nil {
				return err
			}
			p.Image = &image
		}
		if p := &parts[i]; p.Result != nil && len(p.Result.Images) > 0 {
			result := *p.Result
			result.Images = append([]transcript.Image(nil), result.Images...)
			for k := range result.Images {
				image, err := change(result.Images[k])
				if err != nil {
					return err
				}
				result.Images[k] = image
			}
			p.Result = &result
		}
	}
	return nil
}

func (t *Task) imageDir() string { return filepath.Join(t.dir, "images") }

// keepImage has a file of the data on disk and returns its name; fresh if it is
// new.
func (t *Task) keepImage(data []byte) (name string, fresh bool, err error) {
	sum := sha256.Sum256(data)
	name = hex.EncodeToString(sum[:])
	path := filepath.Join(t.imageDir(), name)
	if info, err := os.Stat(path); err == nil && info.Size() == int64(len(data)) {
		return name, false, nil
	}
	if err := os.MkdirAll(t.imageDir(), 0o700); err != nil {
		return "", false, err
	}
	f, err := os.CreateTemp(t.imageDir(), ".new-") // 0600
	if err != nil {
		return "", false, err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return "", false, errors.Join(err, os.Remove(f.Name()))
	}
	return name, true, nil
}

// gone stands for an image whose file is missing or changed.
const gone = "[An image was here; its file is gone.]"

// unpack reads a row's body back.
func (t *Task) unpack(body []byte) (m transcript.Message, err error) {
	var p packed
	if err := json.Unmarshal(body, &p); err != nil {
		return m, err
	}
	if p.Role == "" || len(p.Images) == 0 {
		if p.Role == "" {
			err = errors.New("no message")
		}
		return p.Message, err
	}
	names := p.Images
	err = eachImage(p.Parts, func(image transcript.Image) (transcript.Image, error) {
		if len(names) == 0 {
			return image, errors.New("an image without a name")
		}
		name := names[0]
		names = names[1:]
		image.Data, err = t.readImage(name)
		return image, err
	})
	if err == nil {
		noteMissing(p.Parts)
	}
	return p.Message, err
}

// readImage returns nil for a file that is missing or not what it was.
func (t *Task) readImage(name string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(t.imageDir(), filepath.Base(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != name {
		return nil, nil
	}
	if data == nil {
		data = []byte{}
	}
	return data, nil
}

// noteMissing puts words where an image is missing.
func noteMissing(parts []transcript.Part) {
	for i := range parts {
		if p := &parts[i]; p.Image != nil && p.Image.Data == nil {
			*p = transcript.TextPart(gone)
		}
		if r := parts[i].Result; r != nil {
			kept := r.Images[:0]
			for _, image := range r.Images {
				if image.Data != nil {
					kept = append(kept, image)
					continue
				}
				r.Text += "\n" + gone
			}
			if r.Images = kept; len(kept) == 0 {
				r.Images = nil
			}
		}
	}
}
