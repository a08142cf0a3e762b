#include "predict/counters.h"

namespace lk::predict {
namespace {

using simt::Counters;

double share(uint64_t part, uint64_t whole) { return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole); }

constexpr Counter table[] = {
    {"instructions", "instructions", "Instructions that warps issued, each counted once for its 32 lanes. What a GPU's compiler folds away is not counted.",
     "smsp__inst_executed.sum", [](const Counters& c) { return static_cast<double>(c.executed); }},
    {"active", "active lanes", "Share of lanes that took part, over all issued instructions. Less than 1 where a warp diverged or was not full.",
     "smsp__thread_inst_executed_per_inst_executed.ratio", [](const Counters& c) { return share(c.lanes, 32 * c.executed); }, true},
    {"diverged", "divergent branches", "Branches at which some lanes of a warp went one way and some the other.",
     "smsp__sass_branch_targets_threads_divergent.sum", [](const Counters& c) { return static_cast<double>(c.diverged); }},
    {"requests", "memory requests", "Accesses of whole warps to memory, one for each instruction that had an active lane.", "l1tex__t_requests.sum",
     [](const Counters& c) { return static_cast<double>(c.requests); }},
    {"sectors", "sectors", "Distinct pieces of 32 bytes that the accesses to global memory touched.", "l1tex__t_sectors.sum",
     [](const Counters& c) { return static_cast<double>(c.sectors); }},
    {"ideal_sectors", "sectors needed", "Sectors that would do if every byte of each were wanted.", "",
     [](const Counters& c) { return static_cast<double>(c.ideal_sectors); }},
    {"lines", "lines", "Distinct cache lines of 128 bytes that the accesses touched.", "l1tex__t_tag_requests.sum", [](const Counters& c) { return static_cast<double>(c.lines); }},
    {"wavefronts", "wavefronts", "Passes through the banks of shared memory. Two words of one bank take two.", "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
     [](const Counters& c) { return static_cast<double>(c.wavefronts); }},
    {"ideal_wavefronts", "wavefronts needed", "Passes that the same bytes would take without conflicts.", "",
     [](const Counters& c) { return static_cast<double>(c.ideal_wavefronts); }},
};

void add(Counters& to, const Counters& c) {
  for (uint64_t Counters::*member : {&Counters::executed, &Counters::lanes, &Counters::diverged, &Counters::requests, &Counters::bytes, &Counters::sectors, &Counters::ideal_sectors,
                                     &Counters::lines, &Counters::partial_sectors, &Counters::wavefronts, &Counters::ideal_wavefronts, &Counters::atomic_same})
    to.*member += c.*member;
}

}  // namespace

std::span<const Counter> counters() { return table; }

simt::Counters sum(const simt::Program& program, const simt::Kernel& kernel, const simt::Profile& profile, int line) {
  simt::Counters out;
  for (size_t n = 0; n < profile.code.size(); ++n) {
    const simt::Instr& i = program.code[static_cast<size_t>(kernel.begin) + n];
    if (line != 0 && program.places[i.place].line != line) continue;
    Counters c = profile.code[n];
    // An instruction of ours may be several on a GPU, or none.
    c.lanes = c.lanes * i.issued / 16;
    c.executed = c.executed * i.issued / 16;
    add(out, c);
  }
  return out;
}

}  // namespace lk::predict
