package io.skerry.jobs.interchange.form;

/** Receives elements in batches. */
@FunctionalInterface
public interface ElementSink {
  /** Receives a batch of elements, whose coordinates and values are valid only during the call. */
  void accept(Entries entries);
}
