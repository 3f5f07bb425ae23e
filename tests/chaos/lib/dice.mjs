// Chances that a seed decides.
import { randomFrom } from '../../lib/sql.mjs';

export class Dice {
  constructor(seed) { this.roll = randomFrom(seed); }

  // A number from 0 to n - 1.
  below(n) { return Math.floor(this.roll() * n); }
  chance(share) { return this.roll() < share; }
  pick(list) { return list[this.below(list.length)]; }
  // Each with this chance, in their order.
  some(list, share) { return list.filter(() => this.chance(share)); }
  // {what: weight}
  weighted(weights) {
    let left = this.roll() * Object.values(weights).reduce((sum, one) => sum + one, 0);
    return Object.keys(weights).find((what) => (left -= weights[what]) < 0);
  }
}
