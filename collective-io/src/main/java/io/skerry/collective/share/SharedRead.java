package io.skerry.collective.share;

import io.skerry.chunk.bytes.Leases;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.wire.Exchange;
import io.skerry.mpi.Reduction;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.LongUnaryOperator;

/**
 * One attempt at a read in which the ranks exchange messages. A rank that fails continues to take
 * part until the next agreement, in which all ranks throw an exception.
 */
public final class SharedRead {
  private final FileContext context;
  private final LocalStatus status;
  private final Changes changes;

  /** True if this rank needs changes to the file that may not be stored yet. */
  private boolean needsFlush;

  /** True if all ranks have thrown an exception in an agreement. */
  private boolean ended;

  /** Indicates whether the file may have unflushed changes. */
  public enum Changes {
    /** Some rank may have unflushed changes. */
    POSSIBLE,
    /** All changes are stored. */
    STORED
  }

  /**
   * Creates an attempt.
   *
   * @param status the failures of this rank
   * @param changes an indication of whether the file may have unflushed changes
   */
  @SuppressWarnings("exports") // only this module creates it
  public SharedRead(FileContext context, LocalStatus status, Changes changes) {
    this.context = context;
    this.status = status;
    this.changes = changes;
  }

  /**
   * Checks that the file can be read as a source of its own virtual datasets. Local.
   *
   * @throws UnstoredChangesException if any rank may have unflushed changes
   */
  public void requireStored() {
    if (changes == Changes.POSSIBLE) {
      throw new UnstoredChangesException();
    }
  }

  /**
   * Runs an action, unless this rank has already failed. Records a failure of the action. Local.
   *
   * @return the result, or {@code otherwise} if this rank has failed
   */
  public <T> T attempt(Callable<T> work, T otherwise) {
    return needsFlush ? otherwise : status.attempt(() -> tried(work, otherwise), otherwise);
  }

  private <T> T tried(Callable<T> work, T otherwise) throws Exception {
    try {
      return work.call();
    } catch (RuntimeException e) {
      if (UnstoredChangesException.isCauseOf(e)) {
        needsFlush = true;
        return otherwise;
      }
      throw e;
    }
  }

  /**
   * Runs an action without a result, unless this rank has already failed. Records a failure of the
   * action. Local.
   */
  public void attempt(Runnable work) {
    boolean unused =
        attempt(
            () -> {
              work.run();
              return true;
            },
            false);
  }

  /**
   * Runs an action that exchanges no messages, unless this rank has already failed. Records a
   * failure of the action. Local.
   *
   * @return the result; empty if this rank has failed
   */
  public <T> Optional<T> alone(Callable<T> work) {
    return attempt(() -> Optional.of(work.call()), Optional.empty());
  }

  /**
   * Checks on all ranks that none of them has failed. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if one of them has failed
   * @throws UnstoredChangesException on all ranks if one of them needs changes that may not be
   *     stored yet
   */
  public void agree() {
    long unused = agree(0);
  }

  private long agree(long word) {
    boolean passed = false;
    try {
      long[] agreed = context.outcome().agree(status, needsFlush ? 1 : 0, word);
      if (agreed[0] != 0) {
        throw new UnstoredChangesException();
      }
      passed = true;
      return agreed[1];
    } finally {
      ended |= !passed;
    }
  }

  /**
   * Makes all ranks agree that this rank has failed, unless they have already agreed on a failure.
   * Collective.
   *
   * @param failure the exception that the read has thrown on this rank
   * @return the given exception, if the ranks had already agreed on a failure
   * @throws io.skerry.parallel.CollectiveException on all ranks otherwise, unless a rank needs
   *     changes that may not be stored yet
   * @throws UnstoredChangesException on all ranks in that case
   */
  public RuntimeException ended(RuntimeException failure) {
    if (!ended) {
      attempt(() -> {
        throw failure;
      });
      agree();
    }
    return failure;
  }

  /** Counts bytes that this rank sends to another rank. */
  void moves(long bytes) {
    context.meter().moves(bytes);
  }

  /**
   * Returns for each name whether another rank has it. The result may also be true for a name that
   * only this rank has. The number of messages does not depend on the number of names. Collective.
   *
   * @param names the names of this rank, each once
   */
  public boolean[] elsewhere(List<String> names) {
    agree();
    return new SharedNames(context.ranks()).elsewhere(names);
  }

  /**
   * Returns the number of ranks that have answers to send, and checks that no rank has failed.
   * Collective.
   *
   * @param mine the answers of this rank
   * @throws io.skerry.parallel.CollectiveException on all ranks if one of them has failed
   */
  long agreeOnSenders(AnswerQueue mine) {
    agree();
    return context.ranks().allReduce(mine.isEmpty() ? 0 : 1, Reduction.SUM);
  }

  /**
   * Reads the elements of sources that this rank needs. A chunk that several ranks need is read by
   * one of them, which sends the values to the others. The number of messages depends on the number
   * of bytes, not on the number of sources. Collective.
   *
   * @param sightings the results of this rank's searches for sources whose names other ranks may
   *     also have, each name once
   * @param wanted the sources that this rank reads, each source once
   * @throws io.skerry.parallel.CollectiveException on all ranks if one of them has failed, or if
   *     one rank has found a source that another rank has not found
   * @throws UnstoredChangesException on all ranks if one of them needs changes that may not be
   *     stored yet
   */
  public void read(List<Sighting> sightings, List<? extends SharedValues> wanted) {
    long limit = context.options().readLimit();
    Dealing<SharedValues> dealt = deal(sightings, wanted, dealers -> limit / dealers);
    SharedRounds reads = new SharedRounds(context.ranks(), context.pool(), limit, dealt.slices);
    attempt(reads::readAlone);
    for (int round = 0; round < dealt.rounds; round++) {
      try (Leases leases = new Leases(context.pool())) {
        reads.run(round, this, leases);
      }
    }
  }

  /**
   * Reads elements of sources in a form of varying length, in the same way as {@link #read}.
   * Collective.
   */
  public void readAnswers(List<Sighting> sightings, List<? extends SharedAnswers> wanted) {
    Dealing<SharedAnswers> dealt = deal(sightings, wanted, _ -> Long.MAX_VALUE);
    AnswerExchange reads =
        new AnswerExchange(context.ranks(), context.options().readLimit(), dealt.slices);
    attempt(reads::readAlone);
    if (dealt.rounds > 0) {
      reads.run(this);
    }
  }

  /**
   * The chunks that this rank needs, with their readers.
   *
   * @param rounds the number of rounds in which the ranks exchange values, equal on all ranks; 0 if
   *     no chunk is shared
   */
  private record Dealing<S extends SharedSource>(DealtSlices<S> slices, long rounds) {}

  /**
   * Assigns readers to the shared chunks. If there are none, reads all sources. Collective.
   *
   * @param budget a function that computes the argument of {@link ChunkDeal#answers} from the
   *     number of ranks that assign chunks
   */
  private <S extends SharedSource> Dealing<S> deal(
      List<Sighting> sightings, List<? extends S> wanted, LongUnaryOperator budget) {
    List<SourceChunks<S>> sources =
        attempt(() -> wanted.stream().map(SourceChunks<S>::new).toList(), List.of());
    ChunkDeal deal = new ChunkDeal(context.ranks());
    Exchange.Outbox questions =
        attempt(() -> deal.questions(sightings, sources), new Exchange.Outbox());
    Exchange.Inbox asked = Exchange.deliver(context.ranks(), questions, "wanted sources");
    attempt(() -> deal.receive(asked));
    agree();
    DealtSlices<S> slices = new DealtSlices<>();
    long dealers = context.ranks().allReduce(deal.isAnyShared() ? 1 : 0, Reduction.SUM);
    if (dealers == 0) {
      attempt(() -> wanted.forEach(SharedSource::readAlone));
      return new Dealing<>(slices, 0);
    }
    Exchange.Outbox answers =
        attempt(() -> deal.answers(budget.applyAsLong(dealers)), new Exchange.Outbox());
    long rounds = agree(deal.rounds());
    context.meter().rounds(rounds);
    Exchange.Inbox dealt = Exchange.deliver(context.ranks(), answers, "readers of chunks");
    attempt(() -> {
      List<ChunkDeal.Dealt> of = deal.dealt(sources, dealt);
      for (int i = 0; i < sources.size(); i++) {
        slices.add(sources.get(i), of.get(i));
      }
    });
    return new Dealing<>(slices, rounds);
  }
}
