package io.skerry.cache.policy;

/** An entry without content. */
public final class Item extends Evictable {
  private final long number;
  private long bytes;

  public Item(long number, long bytes) {
    this.number = number;
    this.bytes = bytes;
  }

  public void resize(long now) {
    bytes = now;
  }

  @Override
  public long number() {
    return number;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public String toString() {
    return number + ":" + bytes;
  }
}
