//! Texts of the page that sets scores from a CSV file.

/// Texts of the page that sets scores from a CSV file.
pub struct Scores {
    pub title: &'static str,
    pub intro: &'static str,
    pub new: &'static str,
    pub changed: &'static str,
    pub same: &'static str,
    pub nothing: &'static str,
    pub apply: &'static str,
    pub now: &'static str,
    pub then: &'static str,
    pub done: &'static str,
    pub back: &'static str,
}

pub const ENGLISH: Scores = Scores {
    title: "Scores from CSV",
    intro: "A file with the columns member and score sets these scores in the first view, past all rules. Other columns are ignored, so a CSV of this console can be sent back. \
        Commas, semicolons and tabs part cells; with semicolons or tabs, a comma can stand for the decimal point. Up to 100,000 members and 8 MB. First you see what would change.",
    new: "New members",
    changed: "Other score",
    same: "Same score",
    nothing: "All scores are what the file says.",
    apply: "Set these scores",
    now: "Now",
    then: "In the file",
    done: "The scores of the file were set.",
    back: "Back to the ranking",
};

pub const CHINESE: Scores = Scores {
    title: "从 CSV 导入分数",
    intro: "含 member 和 score 两列的文件会在第一个视图中设置这些分数，不受规则限制。其他列会被忽略，因此可以把本控制台导出的 CSV 再导入。\
        单元格以逗号、分号或制表符分隔；用分号或制表符时，逗号可作小数点。最多 100,000 名成员、8 MB。先显示将发生的变化。",
    new: "新成员",
    changed: "分数不同",
    same: "分数相同",
    nothing: "所有分数都与文件一致。",
    apply: "设置这些分数",
    now: "当前",
    then: "文件中",
    done: "已按文件设置分数。",
    back: "返回排名",
};
