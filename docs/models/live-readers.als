/*
 * The protocol of live readers: processes that read a file at one flush while ranks write the next one. The package
 * io.skerry.collective.live implements it.
 *
 * Each flush ends with an epoch. A file beside the HDF5 file, which only the writing job changes, has a slot and
 * a log. The slot holds the newest epoch, the oldest epoch that can still be read, and the length of the log.
 * Before a flush replaces blocks in place, its ranks append the old content of these blocks to the log, and
 * rank 0 publishes the log in the slot; only then the journal is completed and the blocks are replaced. Blocks
 * that a flush releases are used again only after the slot excludes all epochs that need them.
 *
 * A reader of an epoch reads blocks, then the slot. For a block that a later flush has replaced, it takes the
 * content from the log: the record of the first flush after its epoch. At last it reads the slot again: what it
 * has read is valid if its epoch is not older than the oldest one. Readers write nothing that this depends on;
 * they announce their epochs only so that the job can keep them longer.
 *
 * The model: blocks are replaced in place or written to free space, in any order, since each rank writes its own
 * blocks. A block that is being replaced has no valid content. The job may be killed and started again at any
 * time; the next job completes the flush from the journal or drops it. Readers do not affect the job, so that one
 * of them represents all. Each fault is a mistake in the protocol, and the model checker must find what it breaks.
 *
 * Limits: the check of the protocol has 12 steps, enough for one flush and one read beside it. The plan of flushes
 * is fixed, so a flush that was dropped is repeated as it was.
 *
 *   java -jar integration-tests/target/alloy/alloy.jar exec -s glucose -c '*' docs/models/live-readers.als
 */
module liveReaders

open util/ordering[Epoch] as epochs

/** A flush; the first epoch is the state with which the job begins. */
sig Epoch {
  /** What a reader at this epoch must find in each reachable block: the epoch that wrote it. */
  version: Block -> lone Epoch
}

sig Block {}

fact plan {
  first.version in Block -> first
  all e: Epoch - first, b: Block |
    b.(e.version) in b.(e.prev.version) + e
}

fun prior[e: Epoch]: set Block { e.prev.version.Epoch }
fun replaced[e: Epoch]: set Block { e.version.e & prior[e] }
fun fresh[e: Epoch]: set Block { e.version.e - prior[e] }

/** A mistake in the protocol. */
abstract sig Fault {}
one sig ReplaceUnpublished, JournalUnpublished, ReuseEarly, RecycleEarly, CommitEarly, ForgetPublished,
  NoValidation, SlotBeforeBlocks, NewestRecord extends Fault {}

one sig World { fault: lone Fault }

one sig File { var content: Block -> lone Epoch }

one sig Live {
  var saved: Epoch -> Block -> lone Epoch,
  var published: set Epoch,
  var newest: one Epoch,
  var oldest: one Epoch
}

abstract sig Phase {}
one sig Idle, Preparing, Published, Replacing, Dead extends Phase {}

one sig Job {
  var phase: one Phase,
  var done: set Block,
  /** The flush whose journal is complete. */
  var journal: lone Epoch
}

abstract sig Stage {}
one sig Reading, Slot, Patched, Accepted extends Stage {}

one sig Reader {
  var at: one Epoch,
  var seen: set Block,
  var got: Block -> lone Epoch,
  var slot: set Epoch,
  var result: Block -> lone Epoch,
  var stage: one Stage
}

/** The blocks of the current step; an arbitrary choice. */
one sig Step { var blocks: set Block }

fun flush: lone Epoch { Live.newest.next }

pred init {
  File.content = first.version
  no Live.saved
  no Live.published
  Live.newest = first
  Live.oldest = first
  Job.phase = Idle
  no Job.done
  no Job.journal
  Reader.at = first
  no Reader.seen
  no Reader.got
  no Reader.slot
  no Reader.result
  Reader.stage = Reading
}

pred sameFile { content' = content }
pred sameLive { saved' = saved and published' = published and newest' = newest and oldest' = oldest }
pred sameJob { phase' = phase and done' = done and journal' = journal }
pred sameReader {
  at' = at and seen' = seen and got' = got and slot' = slot and result' = result and stage' = stage
}

/** Ranks write blocks to free space, and save the blocks that will be replaced. */
pred prepare {
  let s = Step.blocks {
    some flush
    Job.phase in Idle + Preparing
    some s
    s in fresh[flush] + replaced[flush]
    Job.phase = Preparing implies no s & Job.done
    World.fault != ReuseEarly implies
      all b: s & fresh[flush], e: Epoch | gte[e, Live.oldest] and lt[e, flush] implies no b.(e.version)
    File.content' = File.content ++ (s & fresh[flush]) -> flush
    Live.saved' = Live.saved - flush -> (s & replaced[flush]) -> Epoch
      + flush -> ((s & replaced[flush]) <: File.content)
    published' = published and newest' = newest and oldest' = oldest
    Job.phase' = Preparing
    Job.done' = (Job.phase = Idle implies s else Job.done + s)
    journal' = journal
    sameReader
  }
}

/** Rank 0 publishes the saved blocks, after all ranks have agreed. */
pred publish {
  Job.phase = Preparing
  Job.done = fresh[flush] + replaced[flush]
  Live.published' = Live.published + flush
  saved' = saved and newest' = newest and oldest' = oldest
  Job.phase' = Published
  no Job.done'
  journal' = journal
  sameFile and sameReader
}

/** The journal becomes complete. */
pred complete {
  some flush
  Job.phase = Published or World.fault = JournalUnpublished and Job.phase = Preparing
    and Job.done = fresh[flush] + replaced[flush]
  no Job.journal
  Job.journal' = flush
  Job.phase' = (Job.phase = Published implies Replacing else Job.phase)
  done' = done
  sameFile and sameLive and sameReader
}

/** Ranks begin to replace blocks: a reader may now find parts of two versions. */
pred tear {
  let s = Step.blocks {
    Job.phase = Replacing or World.fault = ReplaceUnpublished and Job.phase = Preparing
    some s
    s in replaced[flush]
    Job.phase = Replacing implies no s & Job.done
    some s.(File.content) - flush
    File.content' = File.content - s -> Epoch
    sameLive and sameJob and sameReader
  }
}

pred replace {
  let s = Step.blocks {
    Job.phase = Replacing
    some s
    s in replaced[flush] - Job.done
    no s.(File.content)
    File.content' = File.content + s -> flush
    Job.done' = Job.done + s
    phase' = phase and journal' = journal
    sameLive and sameReader
  }
}

/** The superblock is written, the epoch published, and the journal cleared. */
pred commit {
  Job.phase = Replacing
  World.fault = CommitEarly or Job.done = replaced[flush]
  Live.newest' = flush
  saved' = saved and published' = published and oldest' = oldest
  Job.phase' = Idle
  no Job.done'
  no Job.journal'
  sameFile and sameReader
}

/** Epochs expire: no reader holds them, or a limit is passed. */
pred expire {
  some e: Epoch | gt[e, Live.oldest] and lte[e, Live.newest] and Live.oldest' = e
  saved' = saved and published' = published and newest' = newest
  sameFile and sameJob and sameReader
}

/** The space of saved blocks is used again. */
pred recycle {
  some e: Live.published {
    World.fault = RecycleEarly implies lte[e, Live.newest] else lte[e, Live.oldest]
    some e.(Live.saved)
    Live.saved' = Live.saved - e -> Block -> Epoch
  }
  published' = published and newest' = newest and oldest' = oldest
  sameFile and sameJob and sameReader
}

pred kill {
  Job.phase != Dead
  Job.phase' = Dead
  done' = done and journal' = journal
  sameFile and sameLive and sameReader
}

/** The next job completes the flush from the journal, or drops it. */
pred recover {
  Job.phase = Dead
  some Job.journal implies {
    File.content' = File.content ++ replaced[Job.journal] -> Job.journal
    Live.newest' = Job.journal
  } else sameFile and newest' = newest
  Live.published' = (World.fault = ForgetPublished implies none else Live.published)
  saved' = saved and oldest' = oldest
  Job.phase' = Idle
  no Job.done'
  no Job.journal'
  sameReader
}

pred follow {
  Reader.stage = Reading or Reader.stage = Accepted
  some Reader.seen
  Reader.at' = Live.newest
  no Reader.seen'
  no Reader.got'
  no Reader.slot'
  no Reader.result'
  Reader.stage' = Reading
  sameFile and sameLive and sameJob
}

pred look {
  let s = Step.blocks {
    Reader.stage = Reading
    some s
    s in Reader.at.version.Epoch - Reader.seen
    Reader.seen' = Reader.seen + s
    Reader.got' = Reader.got + (s <: File.content)
    at' = at and result' = result and stage' = stage
    World.fault = SlotBeforeBlocks and no Reader.seen implies Reader.slot' = Live.published
      else slot' = slot
    sameFile and sameLive and sameJob
  }
}

pred loadSlot {
  Reader.stage = Reading
  some Reader.seen
  World.fault = SlotBeforeBlocks implies slot' = slot else Reader.slot' = Live.published
  Reader.stage' = Slot
  at' = at and seen' = seen and got' = got and result' = result
  sameFile and sameLive and sameJob
}

/** The flushes that replaced a block after the epoch of the reader. */
fun later[b: Block]: set Epoch { { e: Reader.slot | gt[e, Reader.at] and b in replaced[e] } }

pred patch {
  Reader.stage = Slot
  Reader.result' = { b: Reader.seen, v: Epoch |
    let e = (World.fault = NewestRecord implies max[later[b]] else min[later[b]]) |
      some e implies v = b.(e.(Live.saved)) else v = b.(Reader.got) }
  Reader.stage' = Patched
  at' = at and seen' = seen and got' = got and slot' = slot
  sameFile and sameLive and sameJob
}

pred validate {
  Reader.stage = Patched
  World.fault = NoValidation or lte[Live.oldest, Reader.at]
  Reader.stage' = Accepted
  at' = at and seen' = seen and got' = got and slot' = slot and result' = result
  sameFile and sameLive and sameJob
}

pred stutter { sameFile and sameLive and sameJob and sameReader }

fact behaviour {
  init
  always {
    prepare or tear or replace or look
    or publish or complete or commit or expire or recycle or kill or recover
    or follow or loadSlot or patch or validate or stutter
  }
}

/** A read that is accepted has exactly the epoch of the reader. */
pred oneEpoch {
  always (Reader.stage = Accepted implies Reader.result = Reader.seen <: Reader.at.version)
}

/** Between two flushes, the file is one epoch, for programs that know nothing of live readers too. */
pred wholeFile {
  always (Job.phase = Idle implies
    all b: Live.newest.version.Epoch | b.(File.content) = b.(Live.newest.version))
}

check correct { no World.fault implies oneEpoch and wholeFile }
  for 3 but exactly 3 Epoch, exactly 2 Block, 1..12 steps expect 0
check replaceUnpublished { World.fault = ReplaceUnpublished implies oneEpoch }
  for 3 but exactly 3 Epoch, exactly 2 Block, 1..14 steps expect 1
check journalUnpublished { World.fault = JournalUnpublished implies oneEpoch }
  for 3 but exactly 3 Epoch, exactly 2 Block, 1..14 steps expect 1
check reuseEarly { World.fault = ReuseEarly implies oneEpoch }
  for 3 but exactly 3 Epoch, exactly 2 Block, 1..16 steps expect 1
check recycleEarly { World.fault = RecycleEarly implies oneEpoch }
  for 3 but exactly 3 Epoch, exactly 2 Block, 1..14 steps expect 1
check commitEarly { World.fault = CommitEarly implies wholeFile }
  for 3 but exactly 3 Epoch, exactly 2 Block, 1..14 steps expect 1
check forgetPublished { World.fault = ForgetPublished implies oneEpoch }
  for 3 but exactly 3 Epoch, exactly 2 Block, 1..14 steps expect 1
check noValidation { World.fault = NoValidation implies oneEpoch }
  for 3 but exactly 3 Epoch, exactly 2 Block, 1..16 steps expect 1
check slotBeforeBlocks { World.fault = SlotBeforeBlocks implies oneEpoch }
  for 3 but exactly 3 Epoch, exactly 2 Block, 1..14 steps expect 1
check newestRecord { World.fault = NewestRecord implies oneEpoch }
  for 3 but exactly 3 Epoch, exactly 2 Block, 1..18 steps expect 1
