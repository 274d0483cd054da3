package builtin

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// saysMost reports whether a line is a remark that says, in any language, that there
// is more. It proves less than a placeholder does, and counts only where most of a
// text would be gone.
func saysMost(file, line string) bool {
	words, comment := remarkOf(file, line)
	if !comment || len(words) > maxPhrase {
		return false
	}
	begins, ends := hasDots(words, strings.HasPrefix), hasDots(words, strings.HasSuffix)
	plain := strings.Trim(words, ".…:;,-()[]{}<>*。、 \t")
	switch {
	case begins && ends:
		return strings.ContainsFunc(plain, unicode.IsLetter)
	case slices.Contains(andSoOn, plain):
		return true
	case begins:
		return slices.ContainsFunc(andSoOn, func(s string) bool { return strings.HasPrefix(plain, s+" ") })
	}
	return false
}

var andSoOn = []string{
	"etc", "etcetera", "et cetera", "and so on", "and so forth", "and more", "usw", "und so weiter", "y así sucesivamente",
	"et ainsi de suite", "e assim por diante", "e così via", "itd", "и т.д", "и т. д", "и так далее", "等", "等等", "以此类推", "以下同様", "以下略", "등등",
}

// saysMoreElsewhere is saysMore for languages other than English, which models
// write remarks in when they are spoken to in them: a word for the rest, and soon
// after it one for that nothing changes there.
func saysMoreElsewhere(words string) bool {
	for _, stem := range otherStems {
		if strings.Contains(words, stem) {
			return otherPhrases().MatchString(strings.Trim(words, ".…:;,-()[]{}<>*。 \t"))
		}
	}
	return false
}

// otherStems are in every phrase of the others: to look for them is cheaper.
var otherStems = []string{
	"rest", "reszta", "übrige", "bestehend", "autres", "existant", "demás", "existente", "esistente", "altr", "overige", "bestaande", "pozosta",
	"остальн", "оставш", "существующ", "решта", "其余", "其他", "其它", "剩余", "剩下", "余下", "现有", "原有", "其餘", "剩餘", "現有", "以下", "残り", "既存", "その他", "他の", "나머지", "기존",
}

var otherPhrases = sync.OnceValue(func() *regexp.Regexp {
	const code = `(?:代码|代碼|程式碼|部分|内容|內容|函数|函數|方法|文件|檔案|逻辑|邏輯|实现|配置|样式|导入)`
	var all []string
	for _, language := range []struct{ rest, same string }{
		{`reste (?:du|de la|de l'|des) ?\S+|autres (?:fonctions|méthodes|classes|lignes|sections|imports|routes|champs)|code (?:existant|restant)`,
			`inchangée?s?|identiques?|sans (?:changement|modification)s?|ne changent? pas|comme avant|(?:le|les) mêmes?|omise?s?`},
		{`rest (?:des|der|vom|von) \S+|rest|(?:restliche|übrige|bestehende|andere)[rns]? \S+`,
			`unverändert|(?:bleib(?:t|en) )?(?:so )?wie (?:zuvor|bisher|vorher|gehabt)|(?:bleib(?:t|en) )gleich|ausgelassen|weggelassen`},
		{`resto (?:del?|de la|de los|de las) \S+|resto|demás \S+|código (?:existente|restante)`,
			`sin (?:cambios|modificaciones|modificar)|(?:sigue|queda|permanece) igual|no cambian?|como antes|omitid[oa]s?`},
		{`resto (?:do|da|dos|das) \S+|resto|código (?:existente|restante)|restante d[oa]s? \S+|(?:outras|demais) \S+`,
			`inalterad[oa]s?|sem (?:alterações|alteração|mudanças|modificações)|(?:permanecem?|continuam?) iguai?s?|como antes|omitid[oa]s?`},
		{`resto (?:del|della|dei|delle|dello) ?\S+|resto|codice esistente|altr[ei] (?:funzioni|metodi|classi|sezioni)`,
			`invariat[oaie]|immutat[oaie]|senza modifiche|come prima|non cambia(?:no)?|omess[oaie]`},
		{`rest van (?:de |het )?\S+|overige \S+|bestaande \S+`, `ongewijzigd|onveranderd|zoals (?:eerst|voorheen)|weggelaten|hetzelfde`},
		{`reszta (?:kodu|pliku|funkcji|metod)|pozostał\S+ \S+`, `bez zmian|niezmienion\S+|jak (?:poprzednio|wcześniej)|pominięt\S+`},
		{`(?:остальн|оставш|существующ)\S+ \S+|остальное`, `без изменений|не (?:из)?меня\S+|неизменн?\S*|как (?:было|раньше|прежде)|прежн\S+|опущен\S*`},
		{`решта \S+|інш\S+ \S+`, `без змін|не змін\S+`},
		{`(?:其余|其他|其它|剩余|剩下|余下|现有|原有|其餘|剩餘|現有)的?` + code, `不变|不變|未(?:更改|修改|变|改动)|无(?:变化|改动|需修改)|没有(?:变化|更改|修改)|相同|同上|一样|省略|略`},
		{`(?:残り|既存|その他|他|以下)の?(?:コード|部分|関数|メソッド|内容|処理|ファイル|実装)`, `変更なし|変更無し|変更ありません|変わらず|変わりません|そのまま|同じ(?:です)?|同様|省略|略`},
		{`(?:나머지|기존|다른)\s?(?:코드|부분|함수|메서드|내용|파일|로직)`, `동일|그대로|변경\s?없음|변경되지 않음|생략|같음|유지`},
	} {
		all = append(all, `(?:`+language.rest+`).{0,12}(?:`+language.same+`)`)
	}
	return regexp.MustCompile(`^.{0,12}(?:` + strings.Join(all, "|") + `).{0,8}$`)
})
