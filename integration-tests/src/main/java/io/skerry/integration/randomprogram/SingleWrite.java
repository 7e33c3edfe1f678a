package io.skerry.integration.randomprogram;

import io.skerry.DatasetWrite;

/** Executes a write to one dataset by means of the call for a single dataset. */
public final class SingleWrite {
  private SingleWrite() {}

  /** Executes the write. Collective. */
  public static void apply(DatasetWrite write) {
    switch (write.content()) {
      case DatasetWrite.Elements(var memory, var values) ->
          write.dataset().write(write.selection(), memory, values);
      case DatasetWrite.Values(var values) ->
          write.dataset().writeValues(write.selection(), values);
    }
  }
}
