package workspace

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A profile says how texts of a language look in a table.
type profile struct {
	table string
	// common are characters that most of a text's letters beyond ASCII are
	// among, must a few of which one is always there.
	common, must string
	// share is how much of the letters they are at least, letters how many
	// there must be, and kinds of how many kinds.
	share          float64
	letters, kinds int
	// alone is true when these letters do not stand beside ASCII's.
	alone bool
}

const (
	hanzi = "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系很情者最立代想已通并提直题程展五果料员位入常文总次品式设及管特件长求老头资边流路级少图统接知较将组见计别手期根论运指几区强放决被做必先回则任取据处函返值参错误户服务器配置口请类象符串列默认输检查更删除创添读写"
	kanzi = "的一是在不了有和人這中大為上個國我以要他時來用們生到作地於出就分對成會可主發年動同工也能下過子說產種面而方後多定行學法所民得經十三之進著等部度家電力裡如水化高自二理起小物現實加量都兩體制機當使點從業本去把性好應開它合還因由其些然前外天政四日那社義事平形相全表間樣與關各重新線內數正心反你明看原又麼利比或但質氣第向道命此變條只沒結解問意建月公無系很情者最立代想已通並提直題程展五果料員位入常文總次品式設及管特件長求老頭資邊流路級少圖統接知較將組見計別手期根論運指幾區強放決被做必先回則任取據處函返值參錯誤檔案者伺服器請類字串列預輸檢查更刪除創添讀寫"
	kana  = "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをんがぎぐげござじずぜぞだぢづでどばびぶべぼぱぴぷぺぽぁぃぅぇぉっゃゅょアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲンガギグゲゴザジズゼゾダヂヅデドバビブベボパピプペポァィゥェォッャュョヴー" +
		"日一国人年大十二本中長出三時行見月分後前生間上東四今入学高子外下来気小話書先名水電語文読会社員部問題場合方法使用作成設定力取得処理変更追加削除確認表示字列値数関必要開始終了"
	hangul = "이다는의을에가하고지은를한로기사도나인리어자아서시대수들해만정일있그보부전으게스장라제주여구상과것면소성오공관동무원화경적유중신위모당조선안물생국진계비드문트용요되합니습입력출파열값함변처음"

	cyrillic = "оеаинтсрвлкм"
	greek    = "αοιτεσνηυρπκςλμάίόέήύώΆΈΉΊΌΎΏ"
	hebrew   = "יוהלאתרבמשםנ"
	arabic   = "اليمونترهبةع"
	thai     = "านรกอเงยมลวดทสตคหปะพแจบไ่้ี์ัิ็ุูใโำ"
)

// profiles come in the order in which they win when a text is the same in
// several: those that have fewer characters first.
func profiles() []profile {
	cjk := func(table, common string, share float64) profile {
		return profile{table: table, common: common, share: share, letters: 10, kinds: 5}
	}
	script := func(table, common string) profile {
		return profile{table: table, common: common, share: 0.55, letters: 24, kinds: 7, alone: true}
	}
	latin := func(table, alphabet, must string, kinds int) profile {
		return profile{table: table, common: alphabet + strings.ToUpper(alphabet), must: must, share: 0.98, letters: 16, kinds: kinds}
	}
	return []profile{
		cjk("Shift_JIS", kana, 0.6), cjk("EUC-JP", kana, 0.6), cjk("EUC-KR", hangul, 0.45),
		cjk("Big5", kanzi, 0.4), cjk("GBK", hanzi, 0.4), cjk("GB18030", hanzi, 0.4),
		script("windows-1251", cyrillic), script("KOI8-R", cyrillic), script("KOI8-U", cyrillic),
		script("ISO-8859-5", cyrillic), script("IBM866", cyrillic),
		script("ISO-8859-7", greek), script("windows-1253", greek),
		script("ISO-8859-8", hebrew), script("windows-1255", hebrew),
		script("ISO-8859-6", arabic), script("windows-1256", arabic), script("windows-874", thai),
		latin("ISO-8859-2", "ąćęłńóśźż", "łąęż", 4), latin("windows-1250", "ąćęłńóśźż", "łąęż", 4),
		latin("ISO-8859-2", "áčďéěíňóřšťúůýž", "ěřů", 5), latin("windows-1250", "áčďéěíňóřšťúůýž", "ěřů", 5),
		latin("ISO-8859-2", "áéíóöőúüű", "őű", 5), latin("windows-1250", "áéíóöőúüű", "őű", 5),
		latin("ISO-8859-9", "çğıöşüâî", "ğışİ", 3), latin("windows-1254", "çğıöşüâî", "ğışİ", 3),
	}
}

// guess returns the table that a text beyond UTF-8 is in, nil unless the letters
// leave hardly a doubt. Texts in languages of Western Europe look the same in
// several tables, as they do bytewise; only windows-1252's marks tell it.
func guess(raw []byte) *table {
	lines := sample(raw)
	all := map[string]*table{}
	for _, t := range tables() {
		all[t.name] = &t
	}
	var best *table
	var won profile
	score, text := 0.0, ""
	for _, p := range profiles() {
		t := all[p.table]
		got, ok := t.decode(lines)
		if !ok || got == text {
			continue
		}
		margin := 1.3
		if p.common == won.common { // the same words, but for single letters
			margin = 1
		}
		switch s := p.score(got); {
		case s > score*margin:
			best, won, score, text = t, p, s, got
		case s > 0 && s*margin >= score && margin > 1:
			return nil
		}
	}
	if best == nil && western(lines) {
		return all["windows-1252"]
	}
	return best
}

// sample returns lines that are not ASCII, as they are, up to a size that tells
// enough.
func sample(raw []byte) []byte {
	const most = 16 << 10
	var out []byte
	for len(raw) > 0 && len(out) < most {
		end := bytes.IndexByte(raw, '\n') + 1
		if end == 0 {
			end = len(raw)
		}
		if line := raw[:end]; bytes.ContainsFunc(line, func(r rune) bool { return r >= utf8.RuneSelf }) {
			out = append(out, line...)
		}
		raw = raw[end:]
	}
	return out
}

// neutral are signs that say nothing of a language.
const neutral = "§©®°±·€™№×÷¦¨¬¯´¸¹²³¼½¾ªº¢£¥¤"

// score tells how much a text looks like the profile, 0 for not at all. What
// stands in no text, such as controls and parts of boxes, counts as letters.
func (p profile) score(text string) float64 {
	n, hits, lone := 0, 0, 0
	kinds := map[rune]bool{}
	var before rune
	for i, r := range text {
		if r >= utf8.RuneSelf && !unicode.IsPunct(r) && !unicode.IsSpace(r) && !strings.ContainsRune(neutral, r) {
			n++
			after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
			if !asciiLetter(before) && !asciiLetter(after) {
				lone++
			}
			if strings.ContainsRune(p.common, r) {
				hits++
				kinds[unicode.ToLower(r)] = true
			}
		}
		before = r
	}
	share := float64(hits) / float64(max(n, 1))
	switch {
	case n < p.letters, len(kinds) < p.kinds, share < p.share:
		return 0
	case p.must != "" && !strings.ContainsAny(text, p.must):
		return 0
	case p.alone && lone*10 < n*9, p.must != "" && lone*2 > n:
		return 0
	}
	return share / p.share
}

func asciiLetter(r rune) bool { return r < utf8.RuneSelf && unicode.IsLetter(r) }
