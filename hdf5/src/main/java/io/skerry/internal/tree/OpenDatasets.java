package io.skerry.internal.tree;

import io.skerry.collective.CollectiveFile;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.step.UndoLog;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The open chunked datasets of a file, by the addresses of their object headers. */
public final class OpenDatasets {
  private final UndoLog log;
  private final Map<Long, ChunkedDataset> chunked = new HashMap<>();
  private final Set<ChunkedDataset.Hold> kept = new HashSet<>();

  /**
   * Creates an empty table.
   *
   * @param log the log that undoes the changes of failed steps
   */
  OpenDatasets(UndoLog log) {
    this.log = log;
  }

  /** Returns the dataset whose header is at an address; empty if it is not open. */
  public Optional<ChunkedDataset> find(long address) {
    return Optional.ofNullable(chunked.get(address));
  }

  /** Registers an open dataset, so that all its handles share its state. */
  public void opened(ChunkedDataset dataset, CollectiveFile file) {
    log.put(chunked, dataset.id(), dataset);
    file.datasets().register(dataset);
  }

  /** Keeps the state of a dataset until the file is closed. */
  public void keep(ChunkedDataset.Hold hold) {
    kept.add(hold);
  }

  /** Drops a dataset that is not in use; it is read again when it is next opened. */
  void released(ChunkedDataset dataset) {
    chunked.remove(dataset.id());
  }

  /** Drops a deleted dataset. */
  void deleted(long address) {
    log.remove(chunked, address);
  }
}
