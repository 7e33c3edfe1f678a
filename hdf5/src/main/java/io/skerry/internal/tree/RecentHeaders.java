package io.skerry.internal.tree;

import io.skerry.format.header.ObjectHeader;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Object headers that were read or stored last, by address: a bounded number, since a session may
 * go through any number of objects.
 */
final class RecentHeaders extends LinkedHashMap<Long, ObjectHeader> {
  private static final long serialVersionUID = 1;

  /** More than a program has in hand at a time. */
  private static final int MOST = 4096;

  @Override
  protected boolean removeEldestEntry(Map.Entry<Long, ObjectHeader> eldest) {
    return size() > MOST;
  }
}
