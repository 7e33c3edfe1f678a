package io.skerry.iod.shipper;

/** Six compute ranks, of which three also serve. */
class RemoteConformanceSixRanksTest extends RemoteConformance {
  @Override
  int ranks() {
    return 6;
  }

  @Override
  ShipperOptions options() {
    return ShipperOptions.DEFAULT.with(3, Placement.Kind.SHARED);
  }
}
