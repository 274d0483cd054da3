package doctext

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"clined/internal/tools"
)

// kind is a sort of file.
type kind struct {
	// name with its article, such as "a PDF".
	name string
	// hint says how to look at it by other means.
	hint string
	// extract writes the text to b; nil when there is no such thing.
	extract func(ctx context.Context, r io.ReaderAt, size int64, b *builder) (*tools.Document, error)
}

// notice says what a file is that has no text to show.
func (k kind) notice() error {
	if k.hint == "" {
		return fmt.Errorf("is %s, not a text", k.name)
	}
	return fmt.Errorf("is %s, not a text; %s", k.name, k.hint)
}

// broken says that a file cannot be read. The fault itself is for the log,
// unless it is one of ours.
func (k kind) broken(fault error) error {
	detail := ""
	if errors.Is(fault, errDamaged) {
		detail = " (" + strings.TrimPrefix(fault.Error(), errDamaged.Error()+": ") + ")"
	}
	return fmt.Errorf("is %s that cannot be read: it is damaged or not complete%s; %s", k.name, detail, k.hint)
}

// With execute_command: each hint names a program for it.
var (
	pdf = kind{"a PDF", "try a command such as `pdftotext -layout FILE -` or `mutool draw -F txt FILE`", extractPDF}
	// Their extensions are what people call them by.
	docx     = kind{"a Word document (.docx)", "try a command such as `pandoc FILE -t plain` or `unzip -p FILE word/document.xml`", extractDOCX}
	xlsx     = kind{"an Excel workbook (.xlsx)", "try a command such as `python3 -c 'import openpyxl; …'` or `libreoffice --headless --convert-to csv FILE`", extractXLSX}
	notebook = kind{"a Jupyter notebook", "its JSON is shown by read_file with raw: true", extractNotebook}

	zipped    = kind{name: "a ZIP archive", hint: "list it with `unzip -l FILE` and print one file of it with `unzip -p FILE NAME`"}
	compound  = kind{name: "a compound file of an old Microsoft program", hint: "convert it with `libreoffice --headless --convert-to pdf FILE`"}
	encrypted = kind{name: "a Microsoft Office document that is protected by a password", hint: "ask the user for a copy without one"}
)

// office are the programs whose files are compound files, by a name in them.
var office = []struct {
	stream string
	kind   kind
}{
	{"EncryptedPackage", encrypted},
	{"WordDocument", kind{name: "an old Word document (.doc)", hint: "show it with `antiword FILE` or `catdoc FILE`, or convert it with `libreoffice --headless --convert-to docx FILE` and read that"}},
	{"Workbook", kind{name: "an old Excel workbook (.xls)", hint: "convert it with `libreoffice --headless --convert-to xlsx FILE` and read that"}},
	{"Book", kind{name: "an old Excel workbook (.xls)", hint: "convert it with `libreoffice --headless --convert-to xlsx FILE` and read that"}},
	{"PowerPoint Document", kind{name: "an old PowerPoint presentation (.ppt)", hint: "convert it with `libreoffice --headless --convert-to pdf FILE` and read that"}},
	{"__properties_version1.0", kind{name: "an Outlook message (.msg)", hint: "print its strings with `strings -el FILE`"}},
}

// inZip are the formats that are ZIP archives, by the name of a file in them.
var inZip = []struct {
	file string
	kind kind
}{
	{"word/document.xml", docx},
	{"xl/workbook.xml", xlsx},
	{"xl/workbook.bin", kind{name: "an Excel workbook in the binary format (.xlsb)", hint: "convert it with `libreoffice --headless --convert-to xlsx FILE` and read that"}},
	{"ppt/presentation.xml", kind{name: "a PowerPoint presentation (.pptx)", hint: "convert it with `libreoffice --headless --convert-to pdf FILE` and read that, or print a slide with `unzip -p FILE ppt/slides/slide1.xml`"}},
	{"META-INF/MANIFEST.MF", kind{name: "a Java archive", hint: "list it with `unzip -l FILE`, and show a class with `javap -c -classpath FILE NAME`"}},
	{"AndroidManifest.xml", kind{name: "an Android package", hint: "list it with `unzip -l FILE`"}},
	{"META-INF/container.xml", kind{name: "an EPUB book", hint: "convert it with `pandoc FILE -t plain`"}},
	{"content.xml", kind{name: "an OpenDocument file", hint: "convert it with `pandoc FILE -t plain` or `libreoffice --headless --convert-to pdf FILE`, or print it with `unzip -p FILE content.xml`"}},
}

// archive is a compressed file that a program lists.
func archive(name, command string) kind {
	return kind{name: name, hint: "look into it with a command such as `" + command + "`"}
}

const (
	media    = "ask the user what is in it, or see its kind with `file FILE`"
	symbols  = "see what it is with `file FILE`, and what it holds with `strings FILE` or `nm FILE`"
	database = "look into it with `sqlite3 FILE .schema`"
)

// magics are first bytes, at an offset, and what they tell.
var magics = []struct {
	at    int
	magic string
	kind  kind
}{
	{0, "PK\x05\x06", kind{name: "an empty ZIP archive"}},
	{0, "\x1f\x8b", archive("a gzip file", "zcat FILE | head -c 20000` or `tar tzf FILE")},
	{0, "BZh", archive("a bzip2 file", "bzcat FILE | head -c 20000` or `tar tjf FILE")},
	{0, "\xfd7zXZ\x00", archive("an xz file", "xzcat FILE | head -c 20000` or `tar tJf FILE")},
	{0, "\x28\xb5\x2f\xfd", archive("a zstd file", "zstdcat FILE | head -c 20000` or `tar --zstd -tf FILE")},
	{0, "7z\xbc\xaf\x27\x1c", archive("a 7z archive", "7z l FILE")},
	{0, "Rar!\x1a\x07", archive("a RAR archive", "unrar l FILE")},
	{257, "ustar", archive("a tar archive", "tar tvf FILE")},
	{0, "!<arch>\n", archive("an ar archive or Debian package", "ar t FILE` or `dpkg -c FILE")},
	{0, "\x7fELF", kind{name: "an ELF executable or library", hint: symbols}},
	{0, "MZ", kind{name: "a Windows executable or library", hint: symbols}},
	{0, "\xcf\xfa\xed\xfe", kind{name: "a Mach-O executable or library", hint: symbols}},
	{0, "\xca\xfe\xba\xbe", kind{name: "a Java class or a Mach-O executable", hint: "see it with `javap -c FILE` or `file FILE`"}},
	{0, "\x00asm", kind{name: "a WebAssembly module", hint: "print it with `wasm2wat FILE`"}},
	{0, "SQLite format 3\x00", kind{name: "an SQLite database", hint: database}},
	{0, "PAR1", kind{name: "a Parquet file", hint: "look into it with a command such as `python3 -c 'import pandas; …'` or `duckdb`"}},
	{0, "\x89HDF\r\n", kind{name: "an HDF5 file", hint: "list it with `h5ls -r FILE`"}},
	{0, "RIFF", kind{name: "an audio or video file (RIFF)", hint: media}},
	{0, "ID3", kind{name: "an MP3 file", hint: media}},
	{0, "OggS", kind{name: "an Ogg file", hint: media}},
	{0, "fLaC", kind{name: "a FLAC file", hint: media}},
	{0, "\x1aE\xdf\xa3", kind{name: "a Matroska or WebM video", hint: media}},
	{4, "ftyp", kind{name: "an MP4 video or HEIC picture", hint: media}},
	{0, "II*\x00", kind{name: "a TIFF picture", hint: "convert it with `convert FILE out.png` and read that"}},
	{0, "MM\x00*", kind{name: "a TIFF picture", hint: "convert it with `convert FILE out.png` and read that"}},
	{0, "\x00\x00\x01\x00", kind{name: "an icon (.ico)", hint: "convert it with `convert FILE out.png` and read that"}},
	{0, "8BPS", kind{name: "a Photoshop picture", hint: "convert it with `convert 'FILE[0]' out.png` and read that"}},
	{0, "wOFF", kind{name: "a font"}}, {0, "wOF2", kind{name: "a font"}}, {0, "OTTO", kind{name: "a font"}},
	{0, "\x00\x01\x00\x00\x00", kind{name: "a font"}},
}

// headBytes is how much of a file tells what it is; a PDF may begin with some
// other bytes (ISO 32000-1, implementation note 13).
const headBytes = 1024

// identify tells the kind of a file by its content; its name is "" when it is
// none of those known.
func identify(r io.ReaderAt, size int64) kind {
	head := make([]byte, min(size, headBytes))
	n, err := r.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return kind{}
	}
	head = head[:n]
	switch k := byHead(head); k.name {
	case zipped.name:
		return zipKind(r, size)
	case compound.name:
		return compoundKind(r, head)
	default:
		return k
	}
}

// byHead tells the kind by the first bytes alone.
func byHead(head []byte) kind {
	switch {
	case bytes.Contains(head, []byte("%PDF-")):
		return pdf
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return zipped
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		return compound
	}
	for _, m := range magics {
		if len(head) >= m.at && bytes.HasPrefix(head[m.at:], []byte(m.magic)) {
			return m.kind
		}
	}
	return kind{}
}

// zipKind tells which sort of ZIP archive it is.
func zipKind(r io.ReaderAt, size int64) kind {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return kind{name: "a ZIP archive or Office document that is damaged or not complete", hint: "see what is left of it with `unzip -l FILE`"}
	}
	names := map[string]bool{}
	for _, f := range z.File {
		names[f.Name] = true
	}
	for _, z := range inZip {
		if names[z.file] {
			return z.kind
		}
	}
	return zipped
}

// compoundKind tells the program of a compound file by the names in its
// directory (MS-CFB 2.2: bytes 30 and 48 of the header say where that is).
func compoundKind(r io.ReaderAt, head []byte) kind {
	if len(head) < 52 {
		return compound
	}
	sector := int64(1) << (binary.LittleEndian.Uint16(head[30:]) & 15)
	at := (int64(binary.LittleEndian.Uint32(head[48:])) + 1) * sector
	dir := make([]byte, 4096)
	n, _ := r.ReadAt(dir, at)
	for _, o := range office {
		var wide []byte
		for _, c := range o.stream + "\x00" {
			wide = append(wide, byte(c), 0)
		}
		if bytes.Contains(dir[:n], wide) {
			return o.kind
		}
	}
	return compound
}
