package io.skerry.internal.tree;

import io.skerry.format.header.ObjectHeader;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The object headers that were read or stored most recently, by address. Their number is limited,
 * since a session may access any number of objects.
 */
final class RecentHeaders extends LinkedHashMap<Long, ObjectHeader> {
  private static final long serialVersionUID = 1;

  /** The maximum number of headers, more than a program usually accesses at a time. */
  private static final int MOST = 4096;

  @Override
  protected boolean removeEldestEntry(Map.Entry<Long, ObjectHeader> eldest) {
    return size() > MOST;
  }
}
