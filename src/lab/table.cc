#include "lab/table.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "imgui_internal.h"
#include "lab/text.h"

namespace lk::lab {
namespace {

constexpr double type_px = 13, gap_px = 16;

const plot::Cell& cell(const plot::View& view, int row, size_t column) {
  return view.cells[static_cast<size_t>(row) * view.columns.size() + column];
}

float baseline(const Theme& theme, float top, float height) { return top + height / 2 + theme.px(type_px * 0.364); }

// The first column and words stand left, numbers right.
bool right(const plot::View& view, size_t column) { return column > 0 && !view.columns[column].text; }

std::vector<float> widths(const Theme& theme, const plot::View& view, float available) {
  std::vector<float> wide(view.columns.size());
  for (size_t c = 0; c < wide.size(); ++c) {
    wide[c] = width(theme, view.columns[c].label, type_px) + (right(view, c) ? 0 : theme.px(12));  // room for the arrow
    for (int r = 0; r < static_cast<int>(view.rows()); ++r)
      wide[c] = std::max(wide[c], width(theme, cell_text(view.columns[c], cell(view, r, c)), type_px));
    wide[c] = std::ceil(wide[c] + theme.px(gap_px));
  }
  const float sum = std::accumulate(wide.begin(), wide.end(), 0.0F);
  if (sum < available)
    for (float& w : wide) w += std::floor((available - sum) / static_cast<float>(wide.size()));
  return wide;
}

// Fingers pull what wheels turn.
void pull() {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseSource != ImGuiMouseSource_TouchScreen || !ImGui::IsMouseDragging(ImGuiMouseButton_Left, 6)) return;
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem)) ImGui::SetScrollX(ImGui::GetScrollX() - io.MouseDelta.x);
}

}  // namespace

std::string cell_text(const plot::Column& column, const plot::Cell& value) {
  if (value.missing) return "\u2014";
  if (column.text) return value.text;
  return text(Num{value.v, column.unit, column.how});
}

std::vector<int> sorted_rows(const plot::View& view, int column, bool descending) {
  std::vector<int> order(view.rows());
  std::iota(order.begin(), order.end(), 0);
  if (column < 0 || static_cast<size_t>(column) >= view.columns.size()) return order;
  const size_t c = static_cast<size_t>(column);
  const bool words = view.columns[c].text;
  std::stable_sort(order.begin(), order.end(), [&](int left, int other) {
    const plot::Cell &a = cell(view, left, c), &b = cell(view, other, c);
    if (a.missing || b.missing) return !a.missing && b.missing;
    if (words) return descending ? b.text < a.text : a.text < b.text;
    return descending ? b.v < a.v : a.v < b.v;
  });
  return order;
}

int Table::show(const Theme& theme, const plot::View& view, float wide, int most_rows, bool roomy, int lit) {
  const int columns = static_cast<int>(view.columns.size()), rows = static_cast<int>(view.rows());
  if (columns == 0 || columns > 64) return -1;
  const float height = theme.px(roomy ? 32 : 28);
  const std::vector<float> column_width = widths(theme, view, wide);
  const float sum = std::accumulate(column_width.begin(), column_width.end(), 0.0F);
  const bool scroll_x = sum > wide + 1, scroll_y = most_rows > 0 && rows > most_rows;
  ImGuiTableFlags flags = ImGuiTableFlags_Sortable | ImGuiTableFlags_SortTristate | ImGuiTableFlags_SizingFixedFit |
                          ImGuiTableFlags_NoKeepColumnsVisible | ImGuiTableFlags_NoPadOuterX | ImGuiTableFlags_NoPadInnerX |
                          ImGuiTableFlags_NoSavedSettings;
  float outer = height * static_cast<float>((scroll_y ? most_rows : rows) + 1);
  if (scroll_x) {
    flags |= ImGuiTableFlags_ScrollX;
    outer += theme.px(12);
  }
  if (scroll_y) flags |= ImGuiTableFlags_ScrollY;
  int pointed = -1;
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(0, 0));
  // A table of other columns is another table: its widths are not to be remembered.
  ImGui::PushID(columns * 2 + (scroll_x ? 1 : 0));
  if (ImGui::BeginTable("data", columns, flags, ImVec2(wide, scroll_x || scroll_y ? outer : 0))) {
    for (int c = 0; c < columns; ++c)
      ImGui::TableSetupColumn("##", ImGuiTableColumnFlags_WidthFixed | ImGuiTableColumnFlags_NoResize,
                              column_width[static_cast<size_t>(c)], static_cast<ImGuiID>(c));
    ImGui::TableSetupScrollFreeze(0, scroll_y ? 1 : 0);
    ImGuiTable* table = ImGui::GetCurrentTable();
    // Widths are ours in every frame: the numbers change, and columns with them.
    for (int c = 0; c < columns; ++c) {
      table->Columns[c].WidthRequest = column_width[static_cast<size_t>(c)];
      table->Columns[c].AutoFitQueue = 0;
    }
    if (const ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs()) {
      column_ = specs->SpecsCount > 0 ? static_cast<int>(specs->Specs[0].ColumnUserID) : -1;
      descending_ = specs->SpecsCount > 0 && specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
    }
    const auto put = [&](int c, std::string_view words, ImU32 color, bool strong, float inset) {
      const ImRect box = ImGui::TableGetCellBgRect(table, c);
      const bool end = right(view, static_cast<size_t>(c));
      const float x = end ? box.Max.x - theme.px(gap_px * 0.6) - inset : box.Min.x;
      write(ImGui::GetWindowDrawList(), theme, ImVec2(x, baseline(theme, box.Min.y, height)), words,
            {type_px, strong, color, end ? plot::Prim::end : plot::Prim::start, 0});
    };
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers, height);
    for (int c = 0; c < columns; ++c) {
      if (!ImGui::TableSetColumnIndex(c)) continue;
      ImGui::PushID(c);
      ImGui::TableHeader("##sort");
      ImGui::PopID();
      const bool sorted = c == column_;
      const bool over = ImGui::IsItemHovered();
      if (over) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      put(c, view.columns[static_cast<size_t>(c)].label, theme.color(over || sorted ? Token::accent : Token::muted), false,
          sorted && right(view, static_cast<size_t>(c)) ? theme.px(6) : 0);
    }
    const ImRect head = ImGui::TableGetCellBgRect(table, 0);
    const auto rule = [&](float y, Token token) {
      const float x = head.Min.x;
      ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x, y - theme.px(1)), ImVec2(x + std::max(sum, wide), y), theme.color(token));
    };
    ImGui::TableSetColumnIndex(0);
    rule(head.Min.y + height, Token::ink);
    for (const int r : sorted_rows(view, column_, descending_)) {
      ImGui::TableNextRow(0, height);
      ImGui::TableSetColumnIndex(0);
      const ImRect first = ImGui::TableGetCellBgRect(table, 0);
      const ImRect line(first.Min.x, first.Min.y, first.Min.x + sum, first.Min.y + height);
      const bool over = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) && line.Contains(ImGui::GetIO().MousePos);
      if (over) pointed = r;
      if (over || r == lit)
        ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, theme.color(r == lit ? Token::accent_wash : Token::surface));
      for (int c = 0; c < columns; ++c) {
        if (!ImGui::TableSetColumnIndex(c)) continue;
        put(c, cell_text(view.columns[static_cast<size_t>(c)], cell(view, r, static_cast<size_t>(c))), theme.color(Token::ink), false, 0);
      }
      ImGui::TableSetColumnIndex(0);
      rule(line.Max.y, Token::grid);
    }
    if (scroll_x) pull();
    ImGui::EndTable();
  }
  ImGui::PopID();
  ImGui::PopStyleVar();
  return pointed;
}

}  // namespace lk::lab
