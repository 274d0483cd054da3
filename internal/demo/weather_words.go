package demo

import (
	"fmt"
	"strings"
)

// story is the weather story in one language: the model answers in the user's.
type story struct {
	zh                                                  bool
	lookAround, readFile, askServer, askServerFromFile  string
	noServer, unknownPlace, failed, refused, unreadable string
	items                                               []string
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
	unknownPlace:      "我只认识纽约和华盛顿，请问其中之一。",
	failed:            "查询失败，天气服务器答复：%s",
	refused:           "好的，没有查询天气。",
	unreadable:        "天气服务器的答复里没有明天的预报：%s",
	items:             []string{"查看工作区", "找到地点的坐标", "查询明天的天气预报", "整理结果"},
}

var english = story{
	lookAround:        "I will look up tomorrow's weather. First a look at the workspace.",
	readFile:          "I will read %s; it may hold the coordinates.",
	askServer:         "%s is at about %.4f, %.4f. I will ask the weather server.",
	askServerFromFile: "The file has the coordinates of %s: %.4f, %.4f. I will ask the weather server.",
	noServer:          "I cannot look it up: no weather server is connected (there is no get_forecast tool). Check the MCP settings.",
	unknownPlace:      "I know New York and Washington only; please ask for one of them.",
	failed:            "The forecast could not be had. The weather server says: %s",
	refused:           "All right, I did not ask for the weather.",
	unreadable:        "The weather server's answer has no forecast for tomorrow: %s",
	items:             []string{"Look at the workspace", "Find the coordinates", "Ask for tomorrow's forecast", "Put the answer together"},
}

func (s *story) name(p place) string {
	if s.zh {
		return p.zh
	}
	return p.en
}

// answer tells what the server said, or why it said nothing.
func (s *story) answer(p place, asked step) string {
	if asked.denied() {
		if words := asked.feedback(); words != "" {
			return s.refused + " " + "“" + words + "”"
		}
		return s.refused
	}
	day, ok := tomorrow(asked.result)
	if !ok {
		said := strings.Join(strings.Fields(asked.result), " ")
		if strings.Contains(asked.result, "Temperature:") {
			return fmt.Sprintf(s.unreadable, said)
		}
		return fmt.Sprintf(s.failed, said)
	}
	return s.tell(p, day)
}

func (s *story) tell(p place, d period) string {
	chance := rain.FindStringSubmatch(d.forecast)
	if s.zh {
		text := fmt.Sprintf("%s明天（%s）：气温 %s，%s。", p.zh, weekdays(d.name), withCelsius(d.temperature, "%s（约 %d°C）"), windZh(d.wind))
		if chance != nil {
			text += fmt.Sprintf("降水概率 %s%%。", chance[1])
		}
		return text + "\n预报原文：" + d.forecast
	}
	text := fmt.Sprintf("%s tomorrow (%s): %s, wind %s.", p.en, d.name, withCelsius(d.temperature, "%s (about %d °C)"), d.wind)
	return text + " " + d.forecast
}

var weekdayZh = map[string]string{
	"Monday": "周一", "Tuesday": "周二", "Wednesday": "周三", "Thursday": "周四",
	"Friday": "周五", "Saturday": "周六", "Sunday": "周日",
}

func weekdays(name string) string {
	if zh, ok := weekdayZh[name]; ok {
		return zh
	}
	return name
}

var windNames = map[byte]string{'N': "北", 'E': "东", 'S': "南", 'W': "西"}

// windZh puts "9 mph W" into Chinese; Chinese names east or west first.
func windZh(wind string) string {
	i := strings.LastIndexByte(wind, ' ')
	if i < 0 {
		return "风 " + wind
	}
	speed, from := wind[:i], wind[i+1:]
	var name string
	for k := len(from) - 1; k >= 0; k-- {
		n, ok := windNames[from[k]]
		if !ok {
			return "风 " + wind
		}
		name += n
	}
	return fmt.Sprintf("%s风 %s", name, speed)
}
