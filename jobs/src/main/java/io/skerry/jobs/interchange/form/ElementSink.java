package io.skerry.jobs.interchange.form;

/** Takes elements batch by batch. */
@FunctionalInterface
public interface ElementSink {
  /** Takes some elements; coordinates and values are only valid during the call. */
  void accept(Entries entries);
}
