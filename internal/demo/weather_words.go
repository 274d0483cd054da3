package demo

import (
	"fmt"
	"strings"
)

// story is the weather story in one language: the model answers in the user's.
type story struct {
	zh                                                            bool
	lookAround, readFile, askServer, askServerFromFile            string
	noServer, unknownPlace, failed, serverSays, refused, unusable string
	without, noted                                                string
	items                                                         []string
}

func storyIn(task string) *story {
	if isHan(task) {
		return &chinese
	}
	return &english
}

var chinese = story{
	zh:                true,
	lookAround:        "我来查询明天的天气。先看看工作区里有什么。",
	readFile:          "我读一下 %s，里面可能有地点的坐标。",
	askServer:         "%s的坐标大约是 %.4f, %.4f，我向天气服务器查询预报。",
	askServerFromFile: "文件里写着%s的坐标：%.4f, %.4f。我向天气服务器查询预报。",
	noServer:          "无法查询：没有已连接的天气服务器（没有 get_forecast 工具）。请检查 MCP 设置。",
	unknownPlace:      "我只认识美国的几个城市，比如纽约、华盛顿和旧金山，请问其中之一。",
	serverSays:        "没有查到预报。天气服务器的答复：%s",
	failed:            "没有查到预报：%s",
	refused:           "好的，没有查询天气。",
	unusable:          "天气服务器的答复里没有明天的预报：%s",
	without:           "好的，不看也可以。",
	noted:             "好的（“%s”）。",
	items:             []string{"查看工作区", "找到地点的坐标", "查询明天的天气预报", "整理结果"},
}

var english = story{
	lookAround:        "I will look up tomorrow's weather. First a look at the workspace.",
	readFile:          "I will read %s; it may hold the coordinates.",
	askServer:         "%s is at about %.4f, %.4f. I will ask the weather server.",
	askServerFromFile: "The file has the coordinates of %s: %.4f, %.4f. I will ask the weather server.",
	noServer:          "I cannot look it up: no weather server is connected (there is no get_forecast tool). Check the MCP settings.",
	unknownPlace:      "I know some cities of the USA only, such as New York, Washington and San Francisco; please ask for one of them.",
	serverSays:        "There is no forecast. The weather server says: %s",
	failed:            "There is no forecast: %s",
	refused:           "All right, I did not ask for the weather.",
	unusable:          "The weather server's answer has no forecast for tomorrow: %s",
	without:           "All right, it goes without. ",
	noted:             "All right (“%s”). ",
	items:             []string{"Look at the workspace", "Find the coordinates", "Ask for tomorrow's forecast", "Put the answer together"},
}

func (s *story) name(p place) string {
	if s.zh {
		return p.zh
	}
	return p.en
}

// after acknowledges the user's decision about the step before, if it was none
// to go ahead without a word.
func (s *story) after(before step) string {
	switch words := before.feedback(); {
	case words != "":
		return fmt.Sprintf(s.noted, oneLine(words, 200))
	case before.denied():
		return s.without
	}
	return ""
}

// saysError is how clined opens what a server calls an error.
const saysError = "The tool reports an error:\n"

// answer tells what the server said, or why it said nothing.
func (s *story) answer(p place, asked step) (text string, told bool) {
	if asked.denied() {
		text := s.refused
		if words := asked.feedback(); words != "" {
			text += "“" + words + "”"
		}
		return text, false
	}
	if day, ok := tomorrow(asked.result); ok {
		return s.tell(p, day), true
	}
	said, isError := strings.CutPrefix(asked.result, saysError)
	form := s.failed
	switch {
	case isError:
		form = s.serverSays
	case strings.Contains(asked.result, "Temperature:"):
		form = s.unusable
	case asked.refused() != "":
		said = asked.refused()
	}
	return fmt.Sprintf(form, oneLine(said, 600)), false
}

func (s *story) tell(p place, d period) string {
	if !s.zh {
		text := fmt.Sprintf("%s tomorrow (%s): %s", p.en, d.name, withCelsius(d.temperature, "%s (about %d °C)"))
		if d.wind != "" {
			text += ", wind " + d.wind
		}
		return strings.TrimSpace(text + ". " + d.forecast)
	}
	text := fmt.Sprintf("%s明天（%s）：气温 %s", p.zh, weekday(d.name), withCelsius(d.temperature, "%s（约 %d°C）"))
	if d.wind != "" {
		text += "，" + windZh(d.wind)
	}
	text += "。"
	if chance := rain().FindStringSubmatch(d.forecast); chance != nil {
		text += fmt.Sprintf("降水概率 %s%%。", chance[1])
	}
	if d.forecast != "" {
		text += "\n预报原文：" + d.forecast
	}
	return text
}
