#include <cstdio>

#include "base/json.h"
#include "base/number.h"
#include "cli/commands.h"
#include "gpu/device.h"
#include "site/content.h"
#include "site/live.h"

namespace lk::cli {
namespace {

struct Row {
  std::string name;  // "memory"
  const gpu::Sourced* number;
  Unit unit;
};

std::string list(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : ", ") + item;
  return out;
}

// The numbers of a device in the order of the table; a link's name stands with it.
std::vector<Row> rows(const gpu::Device& d) {
  std::vector<Row> out{{d.core + "s", &d.cores, Unit::one},
                       {"clock", &d.clock_hz, Unit::hertz},
                       {"memory", &d.memory_bytes, Unit::bytes},
                       {"bandwidth", &d.bandwidth, Unit::bytes_per_s},
                       {"L2 cache", &d.l2_bytes, Unit::binary_bytes},
                       {"link" + (d.link.name.empty() ? "" : ", " + d.link.name), &d.link.total, Unit::bytes_per_s},
                       {"power", &d.power, Unit::watts},
                       {"dies", &d.dies, Unit::one},
                       {"transistors", &d.transistors, Unit::one}};
  for (const gpu::Peak& p : d.peaks) out.push_back({"peak, " + std::string(label(p.type)), &p.flops, Unit::flop_per_s});
  return out;
}

void print(const std::string& name, const std::string& value, const std::vector<std::string>& sources, const std::string& note) {
  std::printf("%-32s %-14s %s\n", name.c_str(), value.c_str(), list(sources).c_str());
  if (!note.empty()) std::printf("    %s\n", note.c_str());
}

void print(const gpu::Device& d) {
  std::printf("%s: %s, %s, %s\n", d.name.c_str(), d.vendor.c_str(), d.architecture.c_str(), d.year.c_str());
  if (d.cc_major > 0) std::printf("compute capability %d.%d\n", d.cc_major, d.cc_minor);
  for (const Row& r : rows(d)) {
    if (!r.number->known()) {
      print(r.name, "none:", {r.number->missing()}, r.number->note);
      continue;
    }
    print(r.name, text(Num{r.number->v, r.unit}), r.number->sources, r.number->note);
    if (r.number == &d.link.total)
      std::printf("    Both directions of all links together; %s in each.\n", text(Num{d.link.per_direction(), Unit::bytes_per_s}).c_str());
    for (const gpu::Sourced::Other& o : r.number->other)
      std::printf("    or %s (%s)%s%s\n", text(Num{o.v, r.unit}).c_str(), o.source.c_str(), o.note.empty() ? "" : ": ", o.note.c_str());
  }
  print("process", d.process.name.empty() ? "none:" : d.process.name, d.process.name.empty() ? std::vector<std::string>{d.process.absent} : d.process.sources,
        d.process.note);
}

void write(json::Writer& w, const Row& r) {
  w.begin_object().field("name", r.name);
  if (r.number->known()) w.field("v", r.number->v).field("text", text(Num{r.number->v, r.unit}));
  else w.field("absent", r.number->missing());
  w.key("sources").begin_array();
  for (const std::string& source : r.number->sources) w.value(source);
  w.end_array();
  if (!r.number->note.empty()) w.field("note", r.number->note);
  w.key("other").begin_array();
  for (const gpu::Sourced::Other& o : r.number->other)
    w.begin_object().field("v", o.v).field("source", o.source).field("note", o.note).end_object();
  w.end_array().end_object();
}

void write(json::Writer& w, const gpu::Device& d) {
  w.begin_object().field("id", d.id).field("name", d.name).field("vendor", d.vendor).field("family", d.family).field("architecture", d.architecture);
  w.field("year", d.year);
  if (d.cc_major > 0) w.field("compute_capability", std::to_string(d.cc_major) + '.' + std::to_string(d.cc_minor));
  w.field("process", d.process.name).key("numbers").begin_array();
  for (const Row& r : rows(d)) write(w, r);
  w.end_array().end_object();
}

}  // namespace

int devices(const Devices& command) {
  const site::Content content = site::load_world(command.content);
  if (!content.usable) {
    std::fputs(site::problem_lines(content.problems).c_str(), stderr);
    return content_error;
  }
  const gpu::Devices& table = content.world.devices;
  const gpu::Device* one = table.find(command.id);
  if (!command.id.empty() && !one) {
    std::vector<std::string> ids;
    for (const gpu::Device& d : table.all) ids.push_back(d.id);
    const std::string near = closest(command.id, ids);
    const Error error{{}, "unknown device \"" + command.id + '"', near.empty() ? "devices are " + list(ids) : "did you mean " + near + "?"};
    std::fprintf(stderr, "lk: %s\n", text(error).c_str());
    return usage_error;
  }
  if (command.json) {
    json::Writer w;
    if (!one) w.begin_array();
    for (const gpu::Device& d : table.all)
      if (!one || &d == one) write(w, d);
    if (!one) w.end_array();
    std::printf("%s\n", w.text().c_str());
  } else if (one) {
    print(*one);
  } else {
    std::string family;
    for (const gpu::Device& d : table.all) {
      if (d.family != family) std::printf("%s%s\n", family.empty() ? "" : "\n", d.family.c_str());
      family = d.family;
      std::printf("  %-12s %s%s\n", d.id.c_str(), d.name.c_str(), d.id == table.fallback ? " (the book's)" : "");
    }
  }
  return ok;
}

}  // namespace lk::cli
